import type { ImportEntry } from "@/lib/resources/import-job";
import type { ToolInput } from "@/lib/resources/tool";
import {
  isSame,
  mergeUpstream,
  toUpstreamDefinition,
  UPSTREAM_FIELDS,
  type UpstreamDefinition,
} from "@/lib/sources/upstream-definition";
import { inTurns } from "@/lib/store/in-turns";

/** A tool whose source changed it. */
export interface ChangedTool {
  /** As it would be with what the source says, an admin's edits kept. */
  readonly after: ToolInput;
  /** The fields that differ. */
  readonly fields: readonly string[];
  /** As it is stored at once: the approved definition in quarantine; or in use again, when nothing needs approval. */
  readonly pinned: ToolInput;
  /** Whether somebody must approve `after` first. */
  readonly waits: boolean;
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
 * changed ones wait in quarantine with the definition that was approved, removed ones become deprecated. Ids say
 * which is which.
 *
 * @param last what the source said when each tool was last taken over, by tool id
 * @param waiting the tools that a change of their source put into quarantine: they leave it when it is taken back
 */
export async function diffTools(
  stored: ReadonlyMap<string, ToolInput>,
  imported: readonly ToolInput[],
  last: ReadonlyMap<string, UpstreamDefinition>,
  waiting: ReadonlySet<string> = new Set(),
): Promise<ToolDiff> {
  const added: ToolInput[] = [];
  const changed: ChangedTool[] = [];
  const unchanged: ToolInput[] = [];
  for await (const tool of inTurns(imported)) {
    const before = stored.get(tool.id);
    if (before === undefined) {
      added.push(tool);
      continue;
    }
    const merged = mergeUpstream(before, last.get(tool.id) ?? null, toUpstreamDefinition(tool));
    const change = changeOf(before, merged, waiting.has(tool.id));
    if (change === null) unchanged.push(before);
    else changed.push(change);
  }
  const present = new Set(imported.map((tool) => tool.id));
  const removed = [...stored.values()]
    // A tool made by hand has no endpoint: no source says whether it still exists.
    .filter(({ method, path, run }) => (method !== null && path !== null) || run?.kind === "mcp")
    .filter((tool) => !present.has(tool.id) && tool.status !== "deprecated")
    .map((tool) => ({ ...tool, status: "deprecated" as const }));
  return { added, changed, removed, unchanged };
}

function changeOf(before: ToolInput, merged: ToolInput, waiting: boolean): ChangedTool | null {
  const fields = UPSTREAM_FIELDS.filter((field) => !isSame(merged[field], before[field]));
  if (fields.length > 0)
    return {
      after: { ...merged, status: "active" },
      fields,
      pinned: { ...before, status: "quarantined" },
      waits: true,
    };
  if (before.status !== "deprecated" && !(before.status === "quarantined" && waiting)) return null;
  // It came back as it was: what was approved then still holds.
  const after: ToolInput = { ...merged, status: "active" };
  return { after, fields: ["status"], pinned: after, waits: false };
}

/** A tool as a line of the plan. */
export function toImportEntry(tool: ToolInput, fields: readonly string[] = []): ImportEntry {
  const { id, name, method, path, description, tags, hasSideEffects } = tool;
  return { toolId: id, name, method, path, description, tags, hasSideEffects, fields: [...fields] };
}
