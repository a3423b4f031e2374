import { canonicalText } from "@/lib/access/model/canonical";
import type { Json } from "@/lib/access/model/configuration";
import { explain, viaByTool } from "@/lib/access/explain/explain";
import { reasons } from "@/lib/access/explain/hidden";
import type { HiddenTool } from "@/lib/access/decide/resolution";
import type { Parts } from "@/lib/access/model/parts";
import { entriesInParts, type ManifestEntry, type ManifestSource } from "@/lib/manifest/entries";
import { toNative } from "@/lib/manifest/native";
import { fixOutput, resolvedOutput, resolvedRequest, viaOutput } from "@/lib/manifest/preview";
import { estimateTokens } from "@/lib/manifest/tokens";
import type { ComparisonOutput } from "@/lib/contracts/decisions/comparison";

/** With at most this many gained or lost tools, each carries its smallest change. */
const MAX_EXPLAINED = 200;

type Named = ComparisonOutput["unchanged"][number];
type Moved = ComparisonOutput["gained"][number];

/** One side, with its visible tools and the reasons of its hidden tools. */
interface Side {
  readonly source: ManifestSource;
  readonly shown: ReadonlyMap<string, Shown>;
  readonly hidden: ReadonlyMap<string, HiddenTool>;
}

/** A visible tool: its entry as its caller reads it, and its identity here. */
interface Shown {
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
  const altered: ComparisonOutput["altered"] = [];
  const unchanged: Named[] = [];
  for (const [id, { entry, named }] of to.shown) {
    yield;
    const earlier = from.shown.get(id);
    if (earlier === undefined) continue;
    const fields = differing(earlier.entry, entry);
    if (fields.length === 0) unchanged.push(named);
    else altered.push({ ...named, fields });
  }
  const gained = yield* moved(to, from);
  const lost = yield* moved(from, to);
  return { before: summary(from), after: summary(to), gained, lost, altered, unchanged };
}

function* sideOf(source: ManifestSource): Parts<Side> {
  const visible = new Map<string, Shown>();
  for (const entry of yield* entriesInParts(source)) {
    yield;
    visible.set(entry.resolved.tool.id, shown(entry));
  }
  return {
    source,
    shown: visible,
    hidden: new Map(reasons(source.index, source.request, source.now).map((one) => [one.tool.id, one])),
  };
}

function shown(entry: ManifestEntry): Shown {
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

/** The tools that `seeing` sees and `other` does not. */
function* moved(seeing: Side, other: Side): Parts<Moved[]> {
  const only = [...seeing.shown].filter(([id]) => !other.shown.has(id));
  const explained = only.length <= MAX_EXPLAINED;
  const viaOf = viaByTool(seeing.source.index, seeing.source.request, seeing.source.now);
  const tools: Moved[] = [];
  for (const [id, { named }] of only) {
    yield;
    tools.push({ ...named, hidden: hiddenIn(other, id, explained), via: viaOutput(viaOf(id)) });
  }
  return tools;
}

function hiddenIn({ hidden, source }: Side, id: string, explained: boolean): Moved["hidden"] {
  const one = hidden.get(id);
  if (one === undefined) return null;
  const { decidedBy, reason } = one;
  if (!explained) return { decidedBy, reason };
  return { decidedBy, reason, fix: fixOutput(explain(source.index, source.request, id, source.now)?.fix ?? null) };
}

function differing(before: Shown["entry"], after: Shown["entry"]): string[] {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...fields].filter((field) => textOf(before[field]) !== textOf(after[field]));
}

function textOf(value: unknown): string {
  return value === undefined ? "" : canonicalText(value as Json);
}

function summary({ source: { request, resolution }, shown: visible, hidden }: Side): ComparisonOutput["before"] {
  return {
    revision: resolution.revision,
    visible: visible.size,
    hidden: hidden.size,
    tokens: [...visible.values()].reduce((sum, { named }) => sum + named.tokens, 0),
    etag: resolution.etag,
    matchedPolicies: [...resolution.matchedPolicies],
    ...resolvedOutput(resolution),
    claims: request.claims as ComparisonOutput["before"]["claims"],
    request: resolvedRequest(request),
  };
}
