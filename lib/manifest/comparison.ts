import { canonicalText } from "@/lib/access/model/canonical";
import type { Json } from "@/lib/access/model/configuration";
import { explain, throughOf } from "@/lib/access/explain/explain";
import { reasons } from "@/lib/access/explain/hidden";
import type { HiddenTool } from "@/lib/access/decide/resolution";
import { manifestEntries, type ManifestEntry, type ManifestSource } from "@/lib/manifest/entries";
import { toNative } from "@/lib/manifest/native";
import { fixOutput, resolvedRequest, viaOutput } from "@/lib/manifest/preview";
import { estimateTokens } from "@/lib/manifest/tokens";
import type { ComparisonOutput } from "@/lib/contracts/decisions/comparison";

/** Up to this many tools gained or lost each carries its smallest change. */
const EXPLAINED_AT_ONCE = 200;

type Named = ComparisonOutput["unchanged"][number];
type Moved = ComparisonOutput["gained"][number];

/** One side, with its visible tools and the reasons of its hidden ones at hand. */
interface Side {
  readonly source: ManifestSource;
  readonly shown: ReadonlyMap<string, Shown>;
  readonly hidden: ReadonlyMap<string, HiddenTool>;
}

/** A visible tool: its entry as its caller reads it, and what names it here. */
interface Shown {
  readonly entry: Readonly<Record<string, unknown>>;
  readonly named: Named;
}

/**
 * What one caller sees that another does not, and why: two decisions of the one resolver, tool by tool
 * (docs/reference/http.md#admin-api). Nothing is decided here.
 */
export function toComparison(before: ManifestSource, after: ManifestSource): ComparisonOutput {
  const [from, to] = [sideOf(before), sideOf(after)];
  const both = [...to.shown].flatMap(([id, { entry, named }]) => {
    const earlier = from.shown.get(id);
    return earlier === undefined ? [] : [{ named, fields: differing(earlier.entry, entry) }];
  });
  return {
    before: summary(from),
    after: summary(to),
    gained: moved(to, from),
    lost: moved(from, to),
    altered: both.flatMap(({ named, fields }) => (fields.length === 0 ? [] : [{ ...named, fields }])),
    unchanged: both.flatMap(({ named, fields }) => (fields.length === 0 ? [named] : [])),
  };
}

function sideOf(source: ManifestSource): Side {
  return {
    source,
    shown: new Map(manifestEntries(source).map((entry) => [entry.resolved.tool.id, shown(entry)])),
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
function moved(seeing: Side, other: Side): Moved[] {
  const only = [...seeing.shown].filter(([id]) => !other.shown.has(id));
  const explained = only.length <= EXPLAINED_AT_ONCE;
  const viaOf = throughOf(seeing.source.index, seeing.source.request, seeing.source.now);
  return only.map(([id, { named }]) => ({
    ...named,
    hidden: hiddenIn(other, id, explained),
    via: viaOutput(viaOf(id)),
  }));
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
    grantedGroups: [...resolution.grantedGroups],
    requestedGroups: [...resolution.requestedGroups],
    state: resolution.state,
    machine: resolution.machine,
    profile: [...resolution.profiles],
    mode: resolution.mode,
    tier: resolution.tier === null ? null : [...resolution.tier],
    claims: request.claims as ComparisonOutput["before"]["claims"],
    request: resolvedRequest(request),
  };
}
