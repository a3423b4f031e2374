import { append } from "@/lib/access/model/lists";
import type { Parts } from "@/lib/access/model/parts";

/** One saved change of one row. `rowId` is the id before the change, or after it when the row was created. */
export interface Step {
  readonly revision: number;
  readonly resource: string;
  readonly rowId: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** How one row changed between two moments; at most one of `before` and `after` is `null`. */
export interface NetChange {
  readonly resource: string;
  readonly id: string;
  readonly action: "create" | "update" | "delete";
  readonly before: unknown;
  readonly after: unknown;
}

/** How to compare and identify rows. */
export interface RowFacts {
  /** The id in a value. */
  readonly idOf: (resource: string, value: object) => string;
  readonly same: (left: unknown, right: unknown) => boolean;
}

type Rows = Map<string, Touched>;
interface Touched {
  readonly resource: string;
  readonly id: string;
  readonly value: unknown;
}

/**
 * The net effect of many changes: a row created and deleted in between is left out, and so is a row that returned to
 * its old value. A rename counts as one row deleted and one created. In parts, because there may be thousands.
 *
 * @param steps all steps between the two moments, oldest first
 */
export function* netChanges(steps: readonly Step[], facts: RowFacts): Parts<NetChange[]> {
  const first: Rows = new Map();
  const last: Rows = new Map();
  const touched = new Map<string, { resource: string; id: string }>();
  for (const saved of byRevision(steps)) {
    yield;
    // Removes all rows of a revision before adding any: two rows may have swapped names.
    for (const { resource, rowId, before } of saved) {
      const key = keyOf(resource, rowId);
      if (!touched.has(key) && before !== null) first.set(key, { resource, id: rowId, value: before });
      touched.set(key, { resource, id: rowId });
      last.delete(key);
    }
    for (const { resource, after } of saved) {
      if (after === null) continue;
      const id = facts.idOf(resource, after as object);
      touched.set(keyOf(resource, id), { resource, id });
      last.set(keyOf(resource, id), { resource, id, value: after });
    }
  }
  const changes: NetChange[] = [];
  for (const [key, { resource, id }] of touched) {
    yield;
    const before = first.get(key)?.value ?? null;
    const after = last.get(key)?.value ?? null;
    if (!facts.same(before, after)) changes.push({ resource, id, action: actionOf(before, after), before, after });
  }
  return changes;
}

/** The changes in the opposite direction. */
export function reversed(changes: readonly NetChange[]): NetChange[] {
  return changes.map(({ resource, id, before, after }) => ({
    resource,
    id,
    action: actionOf(after, before),
    before: after,
    after: before,
  }));
}

function byRevision(steps: readonly Step[]): Step[][] {
  const saved = new Map<number, Step[]>();
  for (const step of steps) append(saved, step.revision, step);
  return [...saved.values()];
}

function actionOf(before: unknown, after: unknown): NetChange["action"] {
  if (before === null) return "create";
  return after === null ? "delete" : "update";
}

/** Ids contain no line break. */
function keyOf(resource: string, id: string): string {
  return `${resource}\n${id}`;
}
