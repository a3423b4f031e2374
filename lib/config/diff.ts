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

/** A row, and the revision of its first change. */
interface Touched {
  readonly resource: string;
  readonly id: string;
  readonly revision: number;
}

/**
 * The net effect of many changes: a row created and deleted in between is left out, and so is a row that returned to
 * its old value. A rename counts as one row deleted and one created. Keeps only the first and the last value of a row.
 */
export class NetChanges {
  readonly #facts: RowFacts;
  readonly #first = new Map<string, unknown>();
  readonly #last = new Map<string, { readonly revision: number; readonly value: unknown }>();
  readonly #touched = new Map<string, Touched>();

  constructor(facts: RowFacts) {
    this.#facts = facts;
  }

  /** Adds the next change, oldest first. Rows of one revision may have swapped names, in any order. */
  add({ revision, resource, rowId, before, after }: Step): void {
    const key = keyOf(resource, rowId);
    const touched = this.#touched.get(key);
    const isNew = touched === undefined || (touched.revision === revision && !this.#first.has(key));
    if (isNew && before !== null) this.#first.set(key, before);
    if (touched === undefined) this.#touched.set(key, { resource, id: rowId, revision });
    // A row of this revision that took the name stays.
    if (this.#last.get(key)?.revision !== revision) this.#last.delete(key);
    if (after === null) return;
    const id = this.#facts.idOf(resource, after as object);
    const becomes = keyOf(resource, id);
    if (!this.#touched.has(becomes)) this.#touched.set(becomes, { resource, id, revision });
    this.#last.set(becomes, { revision, value: after });
  }

  /** In parts, because there may be thousands. */
  *result(): Parts<NetChange[]> {
    const changes: NetChange[] = [];
    for (const [key, { resource, id }] of this.#touched) {
      yield;
      const before = this.#first.get(key) ?? null;
      const after = this.#last.get(key)?.value ?? null;
      if (!this.#facts.same(before, after))
        changes.push({ resource, id, action: actionOf(before, after), before, after });
    }
    return changes;
  }
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

function actionOf(before: unknown, after: unknown): NetChange["action"] {
  if (before === null) return "create";
  return after === null ? "delete" : "update";
}

/** Ids contain no line break. */
function keyOf(resource: string, id: string): string {
  return `${resource}\n${id}`;
}
