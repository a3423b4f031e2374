import { refusedForms } from "@/lib/config/refused-forms";
import type { FieldProblem } from "@/lib/errors";
import type { AppliedChange } from "@/lib/store/save/change";
import type { Stored } from "@/lib/store/save/stored";
import { idOf } from "@/lib/store/config/tables";
import { inTurns } from "@/lib/store/db/in-turns";

/**
 * Finds refused forms that the changes would add. A row may return to a value that it had: a restore and the undo of a change
 * must not fail, nor the approval of their request.
 */
export async function newForms(
  stored: Stored,
  changes: readonly AppliedChange[],
  pathOf: (change: AppliedChange, path: string) => string,
): Promise<FieldProblem[]> {
  const problems: FieldProblem[] = [];
  // In turns, because a save may have tens of thousands of rows.
  for await (const change of inTurns(changes)) {
    if (change.after === null) continue;
    const found = refusedForms(change.resource, change.after, change.before);
    if (found.length === 0 || (await hadForms(stored, change, change.after))) continue;
    problems.push(...found.map(({ path, message }) => ({ path: pathOf(change, path), message })));
  }
  return problems;
}

async function hadForms(stored: Stored, { resource, id }: AppliedChange, after: object): Promise<boolean> {
  for await (const former of stored.formerValues(resource, [...new Set([id, idOf(resource, after)])]))
    if (refusedForms(resource, after, former).length === 0) return true;
  return false;
}
