import { rulesThatAsk } from "@/lib/access/decide/flow-rules";
import { explain, traceInParts, viaByTool } from "@/lib/access/explain/explain";
import { reasons } from "@/lib/access/explain/hidden";
import { statePathsInParts } from "@/lib/access/explain/state-path";
import { nextState } from "@/lib/access/compile/machines";
import { raisesOf } from "@/lib/access/model/flow";
import type { Explanation, HiddenTool, Resolution, ResolveRequest, StatePath } from "@/lib/access/decide/resolution";
import type { Index } from "@/lib/access/compile/compile";
import { oncePer } from "@/lib/access/model/once-per";
import { inParts, type Parts } from "@/lib/access/model/parts";
import { isStateHeld } from "@/lib/access/model/request";
import { entriesInParts, type ManifestEntry, type ManifestSource } from "@/lib/manifest/entries";
import { manifestTexts } from "@/lib/manifest/index";
import { toNative } from "@/lib/manifest/native";
import { estimateTextTokens, estimateTokens } from "@/lib/manifest/tokens";
import { manifestFormat, type ManifestFormat } from "@/lib/contracts/agents/agent-api";
import { policiesOf } from "@/lib/contracts/decisions/named-policies";
import type { ExplanationOutput, PreviewOutput, ResolvedRequest } from "@/lib/contracts/decisions/preview";
import { isFound } from "@/lib/contracts/decisions/reason-words";

/** At most this many hidden tools of an answer carry their smallest change. With more, only those named in `explain`. */
const MAX_FIXES = 200;

/** The input of a preview: one decision, and the tools to explain in full. */
export interface PreviewQuestion extends ManifestSource {
  /** Tool ids that the index knows, or all of them. */
  readonly explained: "all" | readonly string[];
  /** Whether calls of a tool (by id) wait for a person, by the tool or the settings. */
  readonly needsApproval: (toolId: string) => boolean;
  /** The most hidden tools, and the most policies that concern neither the caller nor an explained tool. */
  readonly limit?: number | undefined;
  /** Which hidden tools to list; the empty text finds all. */
  readonly search?: string;
  /** The format in which to render the list. */
  readonly manifest?: ManifestFormat | undefined;
  /** Whether to estimate the tokens of the list in every format. */
  readonly manifestSizes?: boolean | undefined;
}

/**
 * The answer of `POST /api/admin/preview` (docs/reference/http.md): a resolution with its reasons. lib/access computes
 * every part. In parts, because a draft may have thousands of tools, and each may be explained.
 */
export function* toPreview(question: PreviewQuestion): Parts<Omit<PreviewOutput, "raisedBy" | "observed">> {
  const { index, request, now, resolution, limit = Number.POSITIVE_INFINITY, search = "" } = question;
  yield;
  const found = yield* foundInParts(reasons(index, request, now), search);
  const hidden = found.slice(0, limit);
  const explainedIds = question.explained === "all" ? index.config.tools.map(({ id }) => id) : question.explained;
  const withFix = new Set(hidden.length <= MAX_FIXES ? hidden.map(({ tool }) => tool.id) : explainedIds);
  const viaOf = viaByTool(index, request, now);
  const next = (tool: string) => nextState(index, resolution.machine, resolution.state, tool);
  const asks = (id: string) => question.needsApproval(id) || rulesThatAsk(index, request, id).length > 0;
  const tools: PreviewOutput["tools"][number][] = [];
  const entries = yield* entriesInParts(question);
  for (const entry of entries) {
    yield;
    const { id } = entry.resolved.tool;
    const raises = [...raisesOf(entry.resolved.tool, index.config.labels)];
    const seen = { ...visibleEntry(entry), via: viaOf(id), nextState: next(id), raises };
    tools.push({ ...seen, needsApproval: asks(id) });
  }
  const known = new Map<string, Explanation | null>();
  for (const id of new Set([...withFix, ...explainedIds])) {
    yield;
    known.set(id, explain(index, request, id, now));
  }
  const statePaths = yield* statePathsInParts(index, request, now, explainedIds);
  const pathOf = (id: string) => statePathOutput(statePaths.get(id), index, request);
  const explained = explanations(explainedIds, known, pathOf, asks);
  const named = new Set(Object.values(explained).flatMap((explanation) => [...policiesOf(explanation)]));
  return {
    revision: resolution.revision,
    ...resolvedOutput(resolution),
    tools,
    hidden: hidden.map((entry) => hiddenEntry(entry, withFix.has(entry.tool.id) ? known.get(entry.tool.id) : null)),
    moreHidden: found.length - hidden.length,
    ...(explainedIds.length > 0 && { explanations: explained }),
    trace: yield* traceInParts(index, request, now, { limit, named }),
    etag: resolution.etag,
    tokens: tools.reduce((sum, tool) => sum + tool.tokens, 0),
    claims: request.claims,
    request: resolvedRequest(request),
    ...(yield* manifestFields(entries, question)),
  };
}

type ManifestFields = Pick<PreviewOutput, "manifest" | "manifestTokens" | "manifestNotes" | "manifestSizes">;

/** The list as the caller's client would receive it, and its sizes. */
function* manifestFields(
  entries: readonly ManifestEntry[],
  { manifest: format, manifestSizes }: PreviewQuestion,
): Parts<ManifestFields> {
  const fields: { -readonly [Field in keyof ManifestFields]: ManifestFields[Field] } = {};
  if (format !== undefined) {
    const { texts, notes } = yield* manifestTexts(format, entries);
    const manifest: object[] = [];
    yield* inParts(texts, (text) => manifest.push(JSON.parse(text) as object));
    Object.assign(fields, { manifest, manifestTokens: textTokens(texts), manifestNotes: notes });
  }
  if (manifestSizes === true) {
    const sizes: [ManifestFormat, number][] = [];
    for (const each of manifestFormat.options)
      sizes.push([each, textTokens((yield* manifestTexts(each, entries)).texts)]);
    fields.manifestSizes = Object.fromEntries(sizes) as Record<ManifestFormat, number>;
  }
  return fields;
}

/** The estimated tokens of a list, by the JSON of its members. */
function textTokens(texts: readonly string[]): number {
  // The brackets of the list, and the commas between its members.
  const around = 2 + Math.max(0, texts.length - 1);
  return estimateTextTokens(texts.reduce((sum, text) => sum + text.length, around));
}

/** The hidden tools that a text finds. */
function* foundInParts(hidden: readonly HiddenTool[], text: string): Parts<readonly HiddenTool[]> {
  if (text.trim() === "") return hidden;
  const found: HiddenTool[] = [];
  for (const entry of hidden) {
    yield;
    const { tool, reason } = entry;
    if (isFound({ toolId: tool.id, name: tool.name, reason }, text)) found.push(entry);
  }
  return found;
}

/** A resolution in API form, without its tools. */
export function resolvedOutput(resolution: Resolution) {
  const { grantedGroups, requestedGroups, state, machine, profiles: profile, mode, tier } = resolution;
  return { grantedGroups, requestedGroups, state, machine, profile, mode, tier };
}

/** A request in API form, without the claims, which the answer holds separately. */
export function resolvedRequest({ claims: _claims, ...request }: ResolveRequest): ResolvedRequest {
  return request;
}

const tokensOf = oncePer((entry: ManifestEntry) => estimateTokens(toNative(entry)));

function visibleEntry(entry: ManifestEntry) {
  const { resolved } = entry;
  const { tool } = resolved;
  return {
    toolId: tool.id,
    name: resolved.exposedName,
    displayName: tool.displayName,
    description: tool.description,
    source: tool.source,
    hasSideEffects: tool.hasSideEffects,
    callable: resolved.callable,
    conditional: resolved.conditional,
    conditions: entry.conditions,
    groups: resolved.groups,
    tokens: tokensOf(entry),
  };
}

function hiddenEntry(
  { tool, decidedBy, reason }: HiddenTool,
  explanation: Explanation | null | undefined,
): PreviewOutput["hidden"][number] {
  return {
    toolId: tool.id,
    name: tool.name,
    displayName: tool.displayName,
    source: tool.source,
    hasSideEffects: tool.hasSideEffects,
    decidedBy,
    reason,
    ...(explanation && { fix: explanation.fix }),
  };
}

function explanations(
  ids: readonly string[],
  known: ReadonlyMap<string, Explanation | null>,
  pathOf: (id: string) => ExplanationOutput["statePath"],
  asks: (id: string) => boolean,
): Record<string, ExplanationOutput> {
  return Object.fromEntries(
    ids.flatMap((id) => {
      const explanation = known.get(id);
      if (!explanation) return [];
      const { tool, ...explained } = explanation;
      return [[id, { toolId: tool.id, ...explained, statePath: pathOf(id), needsApproval: asks(id) }]];
    }),
  );
}

/** A state path in API form, and whether the server holds the caller's state. */
export function statePathOutput(
  path: StatePath | undefined,
  { config }: Index,
  { agent, machine }: ResolveRequest,
): ExplanationOutput["statePath"] {
  if (path === undefined) return null;
  const { from, calls } = path;
  const registered = config.agents.find(({ name }) => name === agent) ?? null;
  return {
    from,
    calls: calls.map(({ tool, to, hidden }) => ({ toolId: tool.id, to, hidden })),
    needsSession: isStateHeld(registered, machine),
  };
}
