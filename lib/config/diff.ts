import type { Parts } from "@/lib/access/model/parts";

// Condenses the history between two revisions to one change per row, for comparisons and restores.

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
    // If another row took this name in the same revision, its value stays.
    if (this.#last.get(key)?.revision !== revision) this.#last.delete(key);
    if (after === null) return;
    const id = this.#facts.idOf(resource, after as object);
    const newKey = keyOf(resource, id);
    if (!this.#touched.has(newKey)) this.#touched.set(newKey, { resource, id, revision });
    this.#last.set(newKey, { revision, value: after });
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

/** The former names of renamed rows, by their present names. */
export class FormerNames {
  readonly #idOf: RowFacts["idOf"];
  /** `null` for a row that was created since. */
  readonly #former = new Map<string, string | null>();
  #revision = 0;
  #renames: Step[] = [];

  constructor({ idOf }: RowFacts) {
    this.#idOf = idOf;
  }

  /** Adds the next change, oldest first. Rows of one revision may have swapped names, in any order. */
  add(step: Step): void {
    if (step.revision !== this.#revision) this.#settle();
    this.#revision = step.revision;
    const { resource, rowId, before, after } = step;
    const isKept = before !== null && after !== null && this.#idOf(resource, after as object) === rowId;
    if (!isKept) this.#renames.push(step);
  }

  /** The name that the row had before all changes; `null` when it was not renamed or did not exist. */
  of(resource: string, id: string): string | null {
    this.#settle();
    return this.#former.get(keyOf(resource, id)) ?? null;
  }

  #settle(): void {
    const renamed = this.#renames.flatMap(({ resource, rowId, before, after }): [string, string | null][] => {
      if (after === null) return [];
      const former = this.#former.get(keyOf(resource, rowId));
      const name = former === undefined ? rowId : former;
      return [[keyOf(resource, this.#idOf(resource, after as object)), before === null ? null : name]];
    });
    for (const { resource, rowId } of this.#renames) this.#former.delete(keyOf(resource, rowId));
    for (const [key, former] of renamed) this.#former.set(key, former);
    this.#renames = [];
  }
}

/** Joins the deletion of a renamed row and the creation of its former name: one row gets its name back. */
export function withNamesBack(changes: readonly NetChange[], former: FormerNames): NetChange[] {
  const created = new Map(
    changes.flatMap((change) =>
      change.action === "create" ? [[keyOf(change.resource, change.id), change] as const] : [],
    ),
  );
  const joined = new Set<NetChange>();
  const renamed = changes.map((change) => {
    const name = change.action === "delete" ? former.of(change.resource, change.id) : null;
    const back = name === null ? undefined : created.get(keyOf(change.resource, name));
    if (back === undefined) return change;
    joined.add(back);
    return { ...change, action: "update" as const, after: back.after };
  });
  return renamed.filter((change) => !joined.has(change));
}

function actionOf(before: unknown, after: unknown): NetChange["action"] {
  if (before === null) return "create";
  return after === null ? "delete" : "update";
}

/** Ids contain no line break. */
function keyOf(resource: string, id: string): string {
  return `${resource}\n${id}`;
}
