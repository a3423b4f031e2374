import { AppError } from "@/lib/errors";
import { pauseName } from "@/lib/resources/pause";
import { can, type Role } from "@/lib/resources/permissions";
import type { AppliedChange } from "@/lib/store/save/change";
import type { Stored } from "@/lib/store/save/stored";
import { idOf, tables, toValue } from "@/lib/store/config/tables";
import type { Value } from "@/lib/store/config/values";

// Pauses name agents and sources. So a rename, a deletion or another identity of one must not end its pause.

/** A row that pauses can name, before and after a change. */
interface Pausable {
  readonly scope: "agent" | "source";
  readonly id: string;
  readonly before: object;
  readonly after: object | null;
}

/** The part of a change that these functions read. */
type ChangedRow = Pick<AppliedChange, "resource" | "id"> & {
  readonly before: object | null;
  readonly after: object | null;
};

/** The move of a pause to another name. */
interface PauseMove {
  readonly was: string;
  readonly name: string;
  /** Whether a pause has the new name, unless it moves too. */
  readonly isHeld: boolean;
  readonly before: Value<"pauses">;
  readonly after: Value<"pauses">;
}

/**
 * The changes that move the pauses of renamed agents and sources to the new names, so that a rename ends no pause. The writer adds
 * them after its checks: renaming a row needs no permission to pause it. If the new name keeps a pause, both pauses stay.
 */
export async function movePauses(stored: Stored, changes: readonly AppliedChange[]): Promise<AppliedChange[]> {
  const ofPauses = changes.filter(({ resource }) => resource === "pauses");
  const changed = new Set(ofPauses.map(({ id }) => id));
  const saved = new Set(ofPauses.flatMap(({ after }) => (after === null ? [] : [idOf("pauses", after)])));
  const isHeld = async (name: string) =>
    saved.has(name) || (!changed.has(name) && (await stored.get("pauses", name)) !== null);
  const moves: PauseMove[] = [];
  for (const { scope, id, after } of pausableIn(changes)) {
    const target = after === null ? id : nameOf(after);
    const was = pauseName({ scope, name: id });
    if (target === id || changed.has(was)) continue;
    const pause = await stored.get("pauses", was);
    if (pause === null) continue;
    const name = pauseName({ scope, name: target });
    const before = toValue("pauses", pause);
    moves.push({ was, name, isHeld: await isHeld(name), before, after: { ...before, name, target } });
  }
  return withFreeNames(moves).map(({ was, before, after }) => ({
    resource: "pauses",
    action: "update",
    id: was,
    before,
    after,
    secret: {},
  }));
}

/** The moves to free names. Repeats, because a pause that cannot move keeps the name that another move needs. */
function withFreeNames(moves: readonly PauseMove[]): readonly PauseMove[] {
  const leaving = new Set(moves.map(({ was }) => was));
  const free = moves.filter(({ name, isHeld }) => !isHeld || leaving.has(name));
  return free.length === moves.length ? moves : withFreeNames(free);
}

/**
 * Refuses changes that end the pause of a row, to a role that may not: its deletion, and another issuer or subject of an
 * agent. Its callers could return under another name.
 *
 * @param role `null` = the timed revert of a change without review, for which nobody ends a pause
 * @throws AppError `forbidden`
 */
export async function requirePausesKept(
  stored: Stored,
  changes: readonly ChangedRow[],
  role: Role | null,
): Promise<void> {
  const permission = tables.pauses.write;
  if (role !== null && can(role, permission)) return;
  for (const { scope, id, before, after } of pausableIn(changes)) {
    if (after !== null && !isRebound(before, after)) continue;
    if ((await stored.get("pauses", pauseName({ scope, name: id }))) === null) continue;
    const what = after === null ? "delete it" : "change its issuer or subject";
    throw new AppError(
      "forbidden",
      `The ${scope} \`${id}\` is paused, and ${role === null ? "a timed revert" : `the role \`${role}\``} may not ${what}. Ask an admin, or wait until the pause ends.`,
      { errors: [{ path: "pauses", message: `needs the permission \`${permission}\`` }] },
    );
  }
}

function pausableIn(changes: readonly ChangedRow[]): Pausable[] {
  return changes.flatMap(({ resource, id, before, after }) => {
    const scope = resource === "agents" ? "agent" : resource === "sources" ? "source" : null;
    return scope === null || before === null ? [] : [{ scope, id, before, after }];
  });
}

function nameOf(row: object): string {
  return idOf("agents", row);
}

/** Whether an agent loses the identity that it had. */
function isRebound(before: object, after: object): boolean {
  const [was, is] = [before as Binding, after as Binding];
  return (was.subject ?? null) !== null && (was.subject !== is.subject || was.issuer !== is.issuer);
}

/** What binds tokens to an agent; a source has neither. */
interface Binding {
  readonly issuer?: string | null;
  readonly subject?: string | null;
}
