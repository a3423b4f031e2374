import type { ImportEntry } from "@/lib/resources/import-job";
import type { ToolInput } from "@/lib/resources/tool";
import {
  isSame,
  mergeUpstream,
  toUpstreamDefinition,
  UPSTREAM_FIELDS,
  type UpstreamDefinition,
} from "@/lib/sources/upstream-definition";

/** A tool whose source changed it: as it would be stored, and the fields that differ. */
export interface ChangedTool {
  readonly after: ToolInput;
  readonly fields: readonly string[];
}

/** What a source's tools would become. */
export interface ToolDiff {
  readonly added: readonly ToolInput[];
  readonly changed: readonly ChangedTool[];
  /** Gone from the source: as they would be stored. */
  readonly removed: readonly ToolInput[];
  readonly unchanged: readonly ToolInput[];
}

/**
 * Compares a source's stored tools with what the source says now (4-execution, Sync): new ones are added,
 * changed ones wait in quarantine, removed ones become deprecated. Ids say which is which.
 *
 * @param last what the source said when each tool was last taken over, by tool id
 */
export function diffTools(
  stored: ReadonlyMap<string, ToolInput>,
  imported: readonly ToolInput[],
  last: ReadonlyMap<string, UpstreamDefinition>,
): ToolDiff {
  const added: ToolInput[] = [];
  const changed: ChangedTool[] = [];
  const unchanged: ToolInput[] = [];
  for (const tool of imported) {
    const before = stored.get(tool.id);
    if (before === undefined) {
      added.push(tool);
      continue;
    }
    const change = changeOf(before, toUpstreamDefinition(tool), last.get(tool.id) ?? null);
    if (change === null) unchanged.push(before);
    else changed.push(change);
  }
  const present = new Set(imported.map((tool) => tool.id));
  const removed = [...stored.values()]
    // A tool made by hand has no endpoint: no document says whether it still exists.
    .filter((tool) => tool.method !== null && tool.path !== null)
    .filter((tool) => !present.has(tool.id) && tool.status !== "deprecated")
    .map((tool) => ({ ...tool, status: "deprecated" as const }));
  return { added, changed, removed, unchanged };
}

function changeOf(before: ToolInput, now: UpstreamDefinition, last: UpstreamDefinition | null): ChangedTool | null {
  const merged = mergeUpstream(before, last, now);
  const fields = UPSTREAM_FIELDS.filter((field) => !isSame(merged[field], before[field]));
  if (fields.length > 0) return { after: { ...merged, status: "quarantined" }, fields };
  // It came back as it was: what was approved then still holds.
  return before.status === "deprecated" ? { after: { ...merged, status: "active" }, fields: ["status"] } : null;
}

/** A tool as a line of the plan. */
export function toImportEntry(tool: ToolInput, fields: readonly string[] = []): ImportEntry {
  const { id, name, method, path, description, tags, hasSideEffects } = tool;
  return { toolId: id, name, method, path, description, tags, hasSideEffects, fields: [...fields] };
}
