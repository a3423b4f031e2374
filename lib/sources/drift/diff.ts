import type { JsonObject } from "@/lib/access/model/configuration";
import type { ImportEntry } from "@/lib/contracts/sources/import-job";
import type { ToolInput } from "@/lib/resources/tool";
import { hostOf } from "@/lib/sources/import/foreign-hosts";
import { isSameBundled } from "@/lib/sources/mcp/keep-schema";
import {
  isSame,
  mergeUpstream,
  toUpstreamDefinition,
  UNREVIEWED,
  UPSTREAM_FIELDS,
  type UpstreamDefinition,
  type UpstreamField,
} from "@/lib/sources/drift/upstream-definition";
import { inTurns } from "@/lib/store/db/in-turns";

/** A tool whose source changed it. */
export interface ChangedTool {
  /** As it would be with what the source says, an admin's edits kept. */
  readonly after: ToolInput;
  /** The fields that differ. */
  readonly fields: readonly string[];
  /** As it is stored at once: the approved definition in quarantine; or as it would be, when nothing needs approval. */
  readonly pinned: ToolInput;
  /** Whether somebody must approve `after` first. */
  readonly waits: boolean;
  /** Whether a person had put it into quarantine before: it stays there when the source takes its change back. */
  readonly heldByHand: boolean;
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
 * Compares a source's stored tools with what the source says now (docs/reference/execution.md#sync): new ones are added,
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
    const heard = last.get(tool.id) ?? null;
    const merged = mergeUpstream(before, heard, toUpstreamDefinition(tool));
    const change = changeOf(before, merged, { heard, waiting: waiting.has(tool.id) });
    if (change === null) unchanged.push(before);
    else changed.push(change);
  }
  const present = new Set(imported.map((tool) => tool.id));
  const removed = [...stored.values()]
    // A tool made by hand has no endpoint: no source says whether it still exists.
    .filter(({ method, path, run }) => (method !== null && path !== null) || run?.kind === "mcp")
    .filter((tool) => !present.has(tool.id) && tool.status !== "deprecated")
    .map((tool) => ({ ...tool, status: isHeldByHand(tool, waiting) ? tool.status : ("deprecated" as const) }));
  return { added, changed, removed, unchanged };
}

/** Whether a person put it into quarantine: no change of its source ends that. */
function isHeldByHand({ id, status }: ToolInput, waiting: ReadonlySet<string>): boolean {
  return status === "quarantined" && !waiting.has(id);
}

interface Known {
  /** What the source said when the tool was last taken over. */
  readonly heard: UpstreamDefinition | null;
  /** Whether a change of the source put it into quarantine. */
  readonly waiting: boolean;
}

function changeOf(before: ToolInput, merged: ToolInput, { heard, waiting }: Known): ChangedTool | null {
  const fields = UPSTREAM_FIELDS.filter((field) => !isSame(merged[field], before[field]));
  // What nobody listened for when it was taken over, the source may always have said: no change of its, but one of ours.
  const drifted = fields.filter(
    (field) => !UNREVIEWED.has(field) && (heard === null || field in heard) && !isRespelled(before, merged, field),
  );
  if (drifted.length > 0)
    return {
      after: { ...merged, status: "active" },
      fields,
      // A tool that a person wrote for an MCP server did not change when the server was first heard: it runs on as written.
      pinned: heard === null && before.run?.kind === "mcp" ? before : { ...before, status: "quarantined" },
      waits: true,
      heldByHand: before.status === "quarantined" && !waiting,
    };
  // It came back as it was: what was approved then still holds.
  const back = before.status === "deprecated" || (before.status === "quarantined" && waiting);
  if (!back && fields.length === 0) return null;
  const after: ToolInput = { ...merged, status: back ? "active" : before.status };
  return { after, fields: back ? [...fields, "status"] : fields, pinned: after, waits: false, heldByHand: false };
}

/** Whether a schema of an MCP server differs only in that imports keep it as its author wrote it now. */
function isRespelled(before: ToolInput, now: ToolInput, field: UpstreamField): boolean {
  if (now.run?.kind !== "mcp" || (field !== "inputSchema" && field !== "outputSchema")) return false;
  const [stored, kept] = [before[field], now[field]];
  return stored !== null && kept !== null && isSameBundled(kept as JsonObject, stored as JsonObject);
}

/** A tool as a line of the plan. */
export function toImportEntry(tool: ToolInput, fields: readonly string[] = []): ImportEntry {
  const { id, name, method, path, description, tags, hasSideEffects } = tool;
  const host = hostOf(tool);
  return { toolId: id, name, method, path, description, tags, hasSideEffects, fields: [...fields], host };
}
