import { createHash } from "node:crypto";
import { canonicalText } from "@/lib/access/model/canonical";
import type { Json } from "@/lib/access/model/configuration";
import { definitionHash } from "@/lib/config/definition-hash";
import { AppError } from "@/lib/errors";
import type { DriftDefinition, DriftDetail, DriftItem, DriftNote } from "@/lib/contracts/sources/drift";
import type { ListQuery, Page } from "@/lib/contracts/changes/list";
import type { ToolInput } from "@/lib/resources/tool";
import { assessChange, assessNew, GONE } from "@/lib/sources/drift/assess-change";
import { readDefinitions } from "@/lib/sources/import/taken-over";
import { mergeUpstream, toUpstreamDefinition, type UpstreamDefinition } from "@/lib/sources/drift/upstream-definition";
import { openRequestsOf, type OpenRequest } from "@/lib/store/requests/requested-rows";
import { inTurns } from "@/lib/store/db/in-turns";
import { findDrift, listDriftRows } from "@/lib/store/sources/drift";
import { readTools } from "@/lib/store/sources/source-tools";
import type { DriftValue, Stored } from "@/lib/store/config/values";

/** The two definitions that a row of the review compares. */
interface Sides {
  /** The stored tool; `null` for a new one. */
  readonly pinned: ToolInput | null;
  /** The tool that an approval would store; `null` for a removed one. */
  readonly proposed: ToolInput | null;
}

/** A page of the review, by default newest first. @throws AppError `invalid_request` */
export async function listDrift(query: ListQuery): Promise<Page<DriftItem>> {
  const page = await listDriftRows(query);
  const ids = page.items.map(({ id }) => id);
  const [tools, last, requests] = await Promise.all([
    readTools(ids),
    readDefinitions(ids),
    openRequestsOf("drift", ids),
  ]);
  const items: DriftItem[] = [];
  for await (const row of inTurns(page.items)) {
    const sides = sidesOf(row, tools.get(row.id) ?? null, last.get(row.id) ?? null);
    items.push(toItem(row, sides, requests.get(row.id)));
  }
  return { ...page, items };
}

/** One tool of the review with both definitions. @throws AppError `not_found` */
export async function getDrift(id: string): Promise<DriftDetail> {
  const row = await findDrift(id);
  if (row === null) throw new AppError("not_found", `\`${id}\` has no drift to review.`);
  const [tools, last, requests] = await Promise.all([
    readTools([id]),
    readDefinitions([id]),
    openRequestsOf("drift", [id]),
  ]);
  const sides = sidesOf(row, tools.get(id) ?? null, last.get(id) ?? null);
  return { ...toItem(row, sides, requests.get(id)), pinned: toSide(sides.pinned), proposed: toSide(sides.proposed) };
}

/**
 * The two definitions of a row, both with the admin's edits.
 *
 * @param tool the stored tool
 * @param last the source's last accepted definition
 */
export function sidesOf(row: DriftValue, tool: ToolInput | null, last: UpstreamDefinition | null): Sides {
  if (tool === null) return { pinned: null, proposed: row.proposed };
  if (row.proposed === null) return { pinned: tool, proposed: null };
  const merged = mergeUpstream(tool, last, toUpstreamDefinition(row.proposed));
  return { pinned: tool, proposed: { ...merged, status: "active" } };
}

/** The SHA-256 (64 hex digits) of the definitions that a reviewer sees. A decision with another hash is refused. */
export function hashOfSides({ kind }: Pick<DriftValue, "kind">, { pinned, proposed }: Sides): string {
  const shown = { kind, pinned: definitionOf(pinned), proposed: definitionOf(proposed) };
  return createHash("sha256")
    .update(canonicalText(shown as unknown as Json))
    .digest("hex");
}

function toItem(row: Stored<"drift">, sides: Sides, request: OpenRequest | undefined): DriftItem {
  const { id, source, kind, severity, since, rejectedBy } = row;
  const hash = hashOfSides(row, sides);
  return { id, source, kind, severity, since, rejectedBy, request: request ?? null, notes: notesOf(sides), hash };
}

function notesOf({ pinned, proposed }: Sides): DriftNote[] {
  if (proposed === null) return [...GONE];
  return pinned === null ? assessNew(proposed) : assessChange(pinned, proposed);
}

function toSide(tool: ToolInput | null): DriftDetail["pinned"] {
  const definition = definitionOf(tool);
  return tool === null || definition === null ? null : { definition, hash: definitionHash(tool) };
}

function definitionOf(tool: ToolInput | null): DriftDefinition | null {
  return tool === null ? null : ({ name: tool.name, ...toUpstreamDefinition(tool) } as DriftDefinition);
}
