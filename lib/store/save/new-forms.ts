import { append } from "@/lib/access/model/lists";
import { MAX_PROBLEMS } from "@/lib/config/problems";
import { refusedForms, type RefusedForm } from "@/lib/config/refused-forms";
import type { FieldProblem } from "@/lib/errors";
import type { AppliedChange } from "@/lib/store/save/change";
import type { Stored } from "@/lib/store/save/stored";
import { idOf } from "@/lib/store/config/tables";
import { inTurns, runInTurns } from "@/lib/store/db/in-turns";

/** Rows whose history is read together. */
const BATCH = 100;

/** A row with refused forms, which its history may excuse. */
interface Refused {
  readonly change: AppliedChange;
  readonly after: object;
  readonly forms: readonly RefusedForm[];
}

/**
 * Finds refused forms that the changes would add, as many as an answer lists. A row may return to a value that it had: a
 * restore and the undo of a change must not fail, nor the approval of their request.
 */
export async function newForms(
  stored: Stored,
  changes: readonly AppliedChange[],
  pathOf: (change: AppliedChange, path: string) => string,
): Promise<FieldProblem[]> {
  const problems: FieldProblem[] = [];
  let batch: Refused[] = [];
  const judgeBatch = async () => {
    const excused = await excusedRows(stored, batch);
    for (const row of batch)
      if (!excused.has(row))
        problems.push(...row.forms.map(({ path, message }) => ({ path: pathOf(row.change, path), message })));
    batch = [];
  };
  // In turns, because a save may have tens of thousands of rows.
  for await (const change of inTurns(changes)) {
    const { resource, before, after } = change;
    if (after === null) continue;
    const forms = await runInTurns(refusedForms(resource, after, before));
    if (forms.length === 0) continue;
    batch.push({ change, after, forms });
    if (batch.length === BATCH) await judgeBatch();
    if (problems.length >= MAX_PROBLEMS) break;
  }
  await judgeBatch();
  return problems.slice(0, MAX_PROBLEMS);
}

/** The rows among these that had a value which excuses each of their refused forms. */
async function excusedRows(stored: Stored, rows: readonly Refused[]): Promise<ReadonlySet<Refused>> {
  const excused = new Set<Refused>();
  for (const resource of new Set(rows.map(({ change }) => change.resource))) {
    const ofKind = rows.filter(({ change }) => change.resource === resource);
    const byId = new Map<string, Refused[]>();
    for (const row of ofKind)
      for (const id of new Set([row.change.id, idOf(resource, row.after)])) append(byId, id, row);
    let open = ofKind.length;
    for await (const { rowId, before } of stored.formerValues(resource, [...byId.keys()])) {
      for (const row of byId.get(rowId) ?? []) {
        if (excused.has(row) || !row.forms.every((form) => form.isIn(before))) continue;
        excused.add(row);
        open -= 1;
      }
      if (open === 0) break;
    }
  }
  return excused;
}
