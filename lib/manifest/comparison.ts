import { canonicalText } from "@/lib/access/model/canonical";
import type { Json } from "@/lib/access/model/configuration";
import { explain, viaByTool } from "@/lib/access/explain/explain";
import { reasons } from "@/lib/access/explain/hidden";
import type { HiddenTool } from "@/lib/access/decide/resolution";
import type { Parts } from "@/lib/access/model/parts";
import { entriesInParts, type ManifestEntry, type ManifestSource } from "@/lib/manifest/entries";
import { toNative } from "@/lib/manifest/native";
import { resolvedOutput, resolvedRequest } from "@/lib/manifest/preview";
import { estimateTokens } from "@/lib/manifest/tokens";
import type { ComparisonOutput } from "@/lib/contracts/decisions/comparison";

/** The most gained or lost tools for which the answer includes the smallest change that would show each. */
const MAX_EXPLAINED = 200;

type Named = ComparisonOutput["unchanged"][number];
type OneSided = ComparisonOutput["gained"][number];

/** One side of a comparison: its visible tools, and its hidden tools with reasons. */
interface Side {
  readonly source: ManifestSource;
  readonly visible: ReadonlyMap<string, VisibleTool>;
  readonly hidden: ReadonlyMap<string, HiddenTool>;
}

/** A visible tool: the entry that its caller receives, and the facts that the comparison lists. */
interface VisibleTool {
  readonly entry: Readonly<Record<string, unknown>>;
  readonly named: Named;
}

/**
 * What one caller sees and another does not, and why: two decisions of the resolver, compared tool by tool
 * (docs/reference/http.md#admin-api). Decides nothing itself. In parts, because a draft may have thousands of tools.
 */
export function* toComparison(before: ManifestSource, after: ManifestSource): Parts<ComparisonOutput> {
  const from = yield* sideOf(before);
  const to = yield* sideOf(after);
  const altered: ComparisonOutput["altered"][number][] = [];
  const unchanged: Named[] = [];
  for (const [id, { entry, named }] of to.visible) {
    yield;
    const earlier = from.visible.get(id);
    if (earlier === undefined) continue;
    const fields = differing(earlier.entry, entry);
    if (fields.length === 0) unchanged.push(named);
    else altered.push({ ...named, fields });
  }
  const gained = yield* onlyVisibleIn(to, from);
  const lost = yield* onlyVisibleIn(from, to);
  return { before: summary(from), after: summary(to), gained, lost, altered, unchanged };
}

function* sideOf(source: ManifestSource): Parts<Side> {
  const visible = new Map<string, VisibleTool>();
  for (const entry of yield* entriesInParts(source)) {
    yield;
    visible.set(entry.resolved.tool.id, toVisibleTool(entry));
  }
  return {
    source,
    visible,
    hidden: new Map(reasons(source.index, source.request, source.now).map((one) => [one.tool.id, one])),
  };
}

function toVisibleTool(entry: ManifestEntry): VisibleTool {
  const { tool, callable, exposedName } = entry.resolved;
  const native = toNative(entry);
  return {
    entry: { ...native, callable },
    named: {
      toolId: tool.id,
      name: exposedName,
      displayName: tool.displayName,
      source: tool.source,
      tokens: estimateTokens(native),
    },
  };
}

function* onlyVisibleIn(seeing: Side, other: Side): Parts<OneSided[]> {
  const only = [...seeing.visible].filter(([id]) => !other.visible.has(id));
  const explained = only.length <= MAX_EXPLAINED;
  const viaOf = viaByTool(seeing.source.index, seeing.source.request, seeing.source.now);
  const tools: OneSided[] = [];
  for (const [id, { named }] of only) {
    yield;
    tools.push({ ...named, hidden: hiddenIn(other, id, explained), via: viaOf(id) });
  }
  return tools;
}

function hiddenIn({ hidden, source }: Side, id: string, explained: boolean): OneSided["hidden"] {
  const one = hidden.get(id);
  if (one === undefined) return null;
  const { decidedBy, reason } = one;
  if (!explained) return { decidedBy, reason };
  return { decidedBy, reason, fix: explain(source.index, source.request, id, source.now)?.fix ?? null };
}

function differing(before: VisibleTool["entry"], after: VisibleTool["entry"]): string[] {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...fields].filter((field) => textOf(before[field]) !== textOf(after[field]));
}

function textOf(value: unknown): string {
  return value === undefined ? "" : canonicalText(value as Json);
}

function summary({ source: { request, resolution }, visible, hidden }: Side): ComparisonOutput["before"] {
  return {
    revision: resolution.revision,
    visible: visible.size,
    hidden: hidden.size,
    tokens: [...visible.values()].reduce((sum, { named }) => sum + named.tokens, 0),
    etag: resolution.etag,
    matchedPolicies: resolution.matchedPolicies,
    ...resolvedOutput(resolution),
    claims: request.claims,
    request: resolvedRequest(request),
  };
}
