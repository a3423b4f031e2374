import { conditionsOf } from "@/lib/access/decide/arguments";
import type { Index } from "@/lib/access/compile/compile";
import { withoutHidden } from "@/lib/access/model/hidden-characters";
import { atOnce, type Parts } from "@/lib/access/model/parts";
import type { Resolution, ResolvedTool, ResolveRequest } from "@/lib/access/decide/resolution";
import { visibleTool } from "@/lib/manifest/visible-tool";

/** The decision that a manifest renders. */
export interface ManifestSource {
  readonly index: Index;
  readonly request: ResolveRequest;
  readonly resolution: Resolution;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** One visible tool with the additional texts for models. */
export interface ManifestEntry {
  readonly resolved: ResolvedTool;
  /** The tool's description, its guidance, and the guidance of the groups that let it through. */
  readonly description: string;
  /** The argument conditions in words, when calls are allowed for some arguments only; else empty. */
  readonly conditions: readonly string[];
}

/** Entries without conditions, by the tool of one index's lists: callers who share the tool share its entry. */
const shared = new WeakMap<ResolvedTool, ManifestEntry>();

/** The visible tools, or some of them, ready for any format. */
export function manifestEntries(source: ManifestSource, tools?: readonly ResolvedTool[]): ManifestEntry[] {
  return atOnce(entriesInParts(source, tools));
}

/** `manifestEntries` in parts, for lists of any length. */
export function* entriesInParts(
  { index, request, resolution, now }: ManifestSource,
  tools: readonly ResolvedTool[] = resolution.tools,
): Parts<ManifestEntry[]> {
  const entries: ManifestEntry[] = [];
  for (const resolved of tools) {
    entries.push(entryOf(resolved, index, request, now));
    yield;
  }
  return entries;
}

function entryOf(resolved: ResolvedTool, index: Index, request: ResolveRequest, now: number): ManifestEntry {
  if (resolved.conditional) return toEntry(resolved, index, conditionsOf(index, request, resolved.tool.id, now));
  const known = shared.get(resolved) ?? toEntry(resolved, index, []);
  shared.set(resolved, known);
  return known;
}

function toEntry(given: ResolvedTool, index: Index, conditions: readonly string[]): ManifestEntry {
  const resolved = withVisibleTool(given);
  return { resolved, description: withoutHidden(describe(resolved, index)), conditions };
}

function withVisibleTool(resolved: ResolvedTool): ResolvedTool {
  const tool = visibleTool(resolved.tool);
  return tool === resolved.tool ? resolved : { ...resolved, tool };
}

function describe({ tool, groups }: ResolvedTool, index: Index): string {
  const guidance = groups.map((name) => index.groups.all[index.groups.numberOf.get(name) ?? -1]?.group?.guidance);
  const texts = [tool.description, tool.guidance, ...guidance].map((text) => text?.trim() ?? "");
  return [...new Set(texts.filter((text) => text !== ""))].join("\n\n");
}
