import type { JsonObject } from "@/lib/access/model/configuration";
import type { ImportEntry } from "@/lib/contracts/sources/import-job";
import type { ToolInput } from "@/lib/resources/tool";
import { originOf } from "@/lib/sources/import/foreign-hosts";
import { upstreamKey } from "@/lib/sources/import/upstream-key";
import { isSameBundled } from "@/lib/sources/mcp/keep-schema";
import {
  type AcceptedDefinition,
  isSame,
  mergeUpstream,
  toUpstreamDefinition,
  UNREVIEWED,
  UPSTREAM_FIELDS,
  type UpstreamField,
} from "@/lib/sources/drift/upstream-definition";
import { inTurns } from "@/lib/store/db/in-turns";

/** A tool whose source changed it. */
interface ChangedTool {
  /** The tool with the source's new definition and the admin's edits. */
  readonly after: ToolInput;
  /** The fields that differ. */
  readonly fields: readonly string[];
  /** The tool to store now: the approved definition in quarantine, or `after` when nothing needs approval. */
  readonly pinned: ToolInput;
  /** Whether a person must approve `after` first. */
  readonly waits: boolean;
  /** Whether a person had put it into quarantine or deprecated it. Then it stays hidden after the source reverts its change. */
  readonly heldByHand: boolean;
}

/** The differences between a source and its stored tools. */
export interface ToolDiff {
  readonly added: readonly ToolInput[];
  readonly changed: readonly ChangedTool[];
  /** The tools that the source no longer has, as they would be stored. */
  readonly removed: readonly ToolInput[];
  readonly unchanged: readonly ToolInput[];
}

/**
 * Compares a source's stored tools with its present definitions by id (docs/reference/execution.md#sync). New tools are
 * added, changed ones wait in quarantine with the approved definition, and missing ones become deprecated.
 *
 * @param last the source's last accepted definition of each tool, by tool id
 * @param waiting ids of the tools that a change of their source quarantined; a revert of that change ends the quarantine
 */
export async function diffTools(
  stored: ReadonlyMap<string, ToolInput>,
  imported: readonly ToolInput[],
  last: ReadonlyMap<string, AcceptedDefinition>,
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
    const history = { accepted: last.get(tool.id) ?? null, waiting: waiting.has(tool.id) };
    const merged = mergeUpstream(before, history.accepted, toUpstreamDefinition(tool));
    const change = changeOf(before, merged, history);
    if (change === null) unchanged.push(before);
    else changed.push(change);
  }
  const present = new Set(imported.map((tool) => tool.id));
  const removed = [...stored.values()]
    // No source can remove a tool that a person wrote.
    .filter((tool) => upstreamKey(tool) !== null && !present.has(tool.id) && tool.status !== "deprecated")
    .map((tool) => {
      const history = { accepted: last.get(tool.id) ?? null, waiting: waiting.has(tool.id) };
      return { ...tool, status: isHeldByHand(tool, history) ? tool.status : ("deprecated" as const) };
    });
  return { added, changed, removed, unchanged };
}

/** What earlier imports and syncs recorded of a tool. */
interface ToolHistory {
  /** The source's last accepted definition. */
  readonly accepted: AcceptedDefinition | null;
  /** Whether a change of the source put the tool into quarantine. */
  readonly waiting: boolean;
}

/** Whether a person put the tool into quarantine or deprecated it. No change of its source ends that. */
function isHeldByHand({ status }: ToolInput, { accepted, waiting }: ToolHistory): boolean {
  return (status === "quarantined" && !waiting) || (status === "deprecated" && accepted?.gone !== true);
}

function changeOf(before: ToolInput, merged: ToolInput, history: ToolHistory): ChangedTool | null {
  const { accepted } = history;
  const heldByHand = isHeldByHand(before, history);
  const fields = UPSTREAM_FIELDS.filter((field) => !isSame(merged[field], before[field]));
  // An older Quartermaster may not have read a field. Its first value is then no change of the source.
  const drifted = fields.filter(
    (field) =>
      !UNREVIEWED.has(field) && (accepted === null || field in accepted) && !isOnlyUnbundled(before, merged, field),
  );
  if (drifted.length > 0)
    return {
      after: { ...merged, status: "active" },
      fields,
      // A person wrote this tool for an MCP server before its first import. It keeps running as written.
      pinned: accepted === null && before.run?.kind === "mcp" ? before : { ...before, status: "quarantined" },
      waits: true,
      heldByHand,
    };
  // The source has the approved definition again.
  const isRestored = before.status !== "active" && !heldByHand;
  if (!isRestored && fields.length === 0) return null;
  const after: ToolInput = { ...merged, status: isRestored ? "active" : before.status };
  return { after, fields: isRestored ? [...fields, "status"] : fields, pinned: after, waits: false, heldByHand: false };
}

/** Whether an MCP schema differs only in form: earlier versions stored it bundled, imports now keep the author's form. */
function isOnlyUnbundled(before: ToolInput, now: ToolInput, field: UpstreamField): boolean {
  if (now.run?.kind !== "mcp" || (field !== "inputSchema" && field !== "outputSchema")) return false;
  const [stored, kept] = [before[field], now[field]];
  return stored !== null && kept !== null && isSameBundled(kept as JsonObject, stored as JsonObject);
}

/** Turns a tool into an entry of the import plan. */
export function toImportEntry(tool: ToolInput, fields: readonly string[] = []): ImportEntry {
  const { id, name, method, path, description, tags, hasSideEffects } = tool;
  const [host, flowGuess] = [originOf(tool), tool.flowGuess];
  return { toolId: id, name, method, path, description, tags, hasSideEffects, fields: [...fields], host, flowGuess };
}
