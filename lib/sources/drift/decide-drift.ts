import { AppError, type FieldProblem } from "@/lib/errors";
import type { DriftDecided, DriftDecisions } from "@/lib/contracts/sources/drift";
import type { ToolInput } from "@/lib/resources/tool";
import { newTool } from "@/lib/sources/import/apply-import";
import { hashOfSides, sidesOf } from "@/lib/sources/drift/drift";
import { definitionsOf, readDefinitions } from "@/lib/sources/import/taken-over";
import type { Stored } from "@/lib/store/save/stored";
import { toValue } from "@/lib/store/config/tables";
import type { Stored as StoredRow } from "@/lib/store/config/values";
import { write, type Actor, type Change } from "@/lib/store/save/write";

/** A row of the drift review, and the tool that its approval would store. */
interface Decided {
  readonly row: StoredRow<"drift">;
  readonly proposed: ToolInput | null;
  readonly exists: boolean;
}

/** One tool, and the hash of the definitions that the reviewer saw. */
type Item = DriftDecisions["items"][number];
/** The prefix of an item's fields in error paths. */
type PrefixOf = (at: number) => string;

const IN_LIST: PrefixOf = (at) => `items[${at}].`;
const WITHOUT_LIST: PrefixOf = () => "";

/**
 * Approves the definitions that the reviewer saw, all or none, in one revision. A new tool joins the catalogue, a changed
 * tool gets its new definition and leaves quarantine, and a removed tool leaves the review.
 *
 * @param prefixOf the prefix of an item's fields in error paths; by default for a body with a list of `items`
 * @throws AppError `not_found` for a tool that does not wait for review; `stale` when its definition has changed since;
 * `forbidden`
 */
export async function approveDrift(
  actor: Actor,
  items: readonly Item[],
  prefixOf: PrefixOf = IN_LIST,
): Promise<DriftDecided> {
  let accepted: ToolInput[] = [];
  const plan = async (stored: Stored): Promise<Change[]> => {
    const decided = await requireUnchanged(stored, items, prefixOf);
    accepted = decided.flatMap(({ row }) => row.proposed ?? []);
    // The decided rows come first, because a change request shows its first rows.
    return [
      ...decided.map(({ row: { id } }): Change => ({ resource: "drift", action: "delete", id })),
      ...decided.flatMap(({ proposed, exists }) => (proposed === null ? [] : [toolChange(proposed, exists)])),
    ];
  };
  const { revision } = await write(actor, plan, {
    note: `approved drift of ${describeItems(items)}`,
    definitions: () => definitionsOf(accepted),
  });
  return { revision, decided: items.length };
}

/** Approves one tool like `approveDrift`. The request body has only the hash, so error paths have no prefix. */
export function approveOne(actor: Actor, item: Item): Promise<DriftDecided> {
  return approveDrift(actor, [item], WITHOUT_LIST);
}

/**
 * Rejects the definitions that the reviewer saw, all or none, in one revision. A changed tool stays in quarantine until
 * its source changes it again; a new tool is not proposed again.
 *
 * @throws AppError as `approveDrift`; `conflict` for a removed tool, which a rejection cannot keep
 */
export async function rejectDrift(
  actor: Actor,
  items: readonly Item[],
  prefixOf: PrefixOf = IN_LIST,
): Promise<DriftDecided> {
  let declined: ToolInput[] = [];
  const plan = async (stored: Stored): Promise<Change[]> => {
    const rows = (await requireUnchanged(stored, items, prefixOf)).map(({ row }) => row);
    refuseRemoved(rows, prefixOf);
    declined = rows.flatMap(({ kind, proposed }) => (kind === "new" && proposed !== null ? [proposed] : []));
    return rows.map((row): Change =>
      row.kind === "new"
        ? { resource: "drift", action: "delete", id: row.id }
        : {
            resource: "drift",
            action: "update",
            id: row.id,
            after: { ...toValue("drift", row), rejectedBy: actor.name },
          },
    );
  };
  const { revision } = await write(actor, plan, {
    note: `rejected drift of ${describeItems(items)}`,
    definitions: () => definitionsOf(declined),
  });
  return { revision, decided: items.length };
}

/** Rejects one tool like `rejectDrift`. The request body has only the hash, so error paths have no prefix. */
export function rejectOne(actor: Actor, item: Item): Promise<DriftDecided> {
  return rejectDrift(actor, [item], WITHOUT_LIST);
}

/** Refuses to reject a removal: the source no longer serves the tool. */
function refuseRemoved(rows: readonly StoredRow<"drift">[], prefixOf: PrefixOf): void {
  const gone = rows.flatMap(({ id, kind }, at) => (kind === "removed" ? [{ id, at }] : []));
  const [first] = gone;
  if (first === undefined) return;
  throw new AppError(
    "conflict",
    `\`${first.id}\` is missing from its source. Rejecting cannot restore it: it stays deprecated.`,
    {
      errors: gone.map(({ id, at }) => ({
        path: `${prefixOf(at)}id`,
        message: `\`${id}\` was removed from its source`,
      })),
    },
  );
}

/** Reads the rows of the items. Refuses if one of them has changed since the reviewer saw it. */
async function requireUnchanged(stored: Stored, items: readonly Item[], prefixOf: PrefixOf): Promise<Decided[]> {
  const definitions = await readDefinitions(
    items.map(({ id }) => id),
    stored,
  );
  const missing: FieldProblem[] = [];
  const stale: FieldProblem[] = [];
  const decided: Decided[] = [];
  for (const [at, { id, hash }] of items.entries()) {
    const [row, tool] = [await stored.get("drift", id), await stored.get("tools", id)];
    if (row === null) missing.push({ path: `${prefixOf(at)}id`, message: `\`${id}\` has no drift to review` });
    else {
      const sides = sidesOf(row, tool === null ? null : toValue("tools", tool), definitions.get(id) ?? null);
      if (hashOfSides(row, sides) !== hash)
        stale.push({
          path: `${prefixOf(at)}hash`,
          message: `\`${id}\` has changed since the review: review it again`,
        });
      decided.push({ row, proposed: sides.proposed, exists: tool !== null });
    }
  }
  if (missing.length > 0)
    throw new AppError("not_found", "No decision was saved, because some of these tools have no drift to review.", {
      errors: missing,
    });
  if (stale.length > 0)
    throw new AppError("stale", "A definition has changed since the review. No decision was saved.", { errors: stale });
  return decided;
}

function toolChange(after: ToolInput, exists: boolean): Change {
  return exists ? { resource: "tools", action: "update", id: after.id, after } : newTool(after);
}

function describeItems(items: readonly Item[]): string {
  const [first] = items;
  return items.length === 1 && first !== undefined ? first.id : `${items.length} tools`;
}
