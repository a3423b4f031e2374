import { isSameJson } from "@/lib/access/model/canonical";
import type { Json } from "@/lib/access/model/configuration";
import { AppError, type FieldProblem } from "@/lib/errors";
import { resources, type ResourceName } from "@/lib/resources/index";
import { can } from "@/lib/resources/permissions";
import type { RowUser } from "@/lib/contracts/changes/row-plan";
import { announceChanges } from "@/lib/store/events/announced-changes";
import { dropBreakers } from "@/lib/store/calls/breakers";
import type { Actor, AppliedChange, Change } from "@/lib/store/save/change";
import { checkChanges, pathOf, usersNamed, type PathStyle } from "@/lib/store/save/check";
import { bulkDb } from "@/lib/store/db/database";
import { driftThatGoes } from "@/lib/store/sources/drift";
import { Prisma } from "@/lib/store/generated/client";
import { inTurns } from "@/lib/store/db/in-turns";
import { noteRevision } from "@/lib/store/snapshot/snapshot";
import { save } from "@/lib/store/save/save";
import { Stored } from "@/lib/store/save/stored";
import { idOf, normalised, tables, toValue } from "@/lib/store/config/tables";
import type { Kind } from "@/lib/store/config/values";
import { translated } from "@/lib/store/db/translate";

export type { Actor, AppliedChange, Change } from "@/lib/store/save/change";

/** How a change is to be saved. */
export interface WriteOptions {
  /** How problems name their place; `single` unless told. */
  readonly paths?: PathStyle;
  /** One line for the revision: "restored revision 7". */
  readonly note?: string;
  /** The revision that the change was made on: another one now is `stale`. */
  readonly ifRevision?: number;
  /** The time that rows and history will carry. */
  readonly now?: Date;
  /** How long the transaction may take, in milliseconds, where the usual 30 s are too short. */
  readonly timeoutMs?: number;
  /** How many of the changed rows are saved. */
  readonly onProgress?: (done: number) => void;
  /** What else the transaction does, last. */
  readonly onSaved?: (tx: Prisma.TransactionClient, written: Written) => Promise<void>;
}

/** What was saved: no changes = no new revision. */
export interface Written {
  readonly revision: number;
  readonly changes: readonly AppliedChange[];
}

/**
 * The one way to change anything. In one transaction: the writers' lock, the plan over what is stored,
 * permissions, names and usage over the state after, the rows, the change rows, the next revision, its
 * notice and the events that it makes. Nothing is saved when any of it fails. What a plan does on the transaction
 * besides is part of it.
 *
 * @throws AppError `forbidden`, `invalid_request`, `not_found`, `conflict`, `in_use`, `config_unavailable`
 */
export async function write(
  actor: Actor,
  plan: (stored: Stored, tx: Prisma.TransactionClient) => readonly Change[] | Promise<readonly Change[]>,
  options: WriteOptions = {},
): Promise<Written> {
  const written = await translated(() =>
    bulkDb().$transaction(async (tx) => {
      const answer = async (revision: number, changes: readonly AppliedChange[]): Promise<Written> => {
        await options.onSaved?.(tx, { revision, changes });
        return { revision, changes };
      };
      const revision = await lock(tx);
      if (options.ifRevision !== undefined && options.ifRevision !== revision)
        throw new AppError("stale", `The configuration was changed meanwhile: it is at revision ${revision}.`, {
          extra: { current: { revision } },
        });
      const stored = new Stored(tx);
      const style = options.paths ?? "single";
      const changes = await prepare(stored, await plan(stored, tx), style);
      requirePermission(actor, changes);
      if (changes.length === 0) return answer(revision, changes);
      await checkChanges(stored, changes, style);
      await save(tx, {
        actor,
        changes,
        revision: revision + 1,
        now: options.now ?? new Date(),
        note: options.note ?? "",
        ...(options.onProgress !== undefined && { onProgress: options.onProgress }),
      });
      await dropBreakers(tx, changes);
      await announceChanges(tx, changes);
      return answer(revision + 1, changes);
    }, transactionOptions(options)),
  );
  noteRevision(written.revision);
  return written;
}

function transactionOptions({ timeoutMs }: WriteOptions): { timeout?: number } {
  return timeoutMs === undefined ? {} : { timeout: timeoutMs };
}

/** What a change would do and what would refuse it. */
export interface Rehearsal<T> {
  readonly changes: readonly AppliedChange[];
  readonly errors: readonly FieldProblem[];
  /** What still uses what the changes would take away. */
  readonly users: readonly RowUser[];
  /** What the plan found beside the changes. */
  readonly beside: T;
}

/** The same as `write` up to saving: the very same checks, and nothing saved. */
export async function rehearse<T>(
  actor: Actor,
  plan: (stored: Stored) => Promise<{ readonly changes: readonly Change[]; readonly beside: T }>,
  options: Pick<WriteOptions, "paths"> = {},
): Promise<Rehearsal<T>> {
  return translated(() =>
    bulkDb().$transaction(
      async (tx) => {
        const stored = new Stored(tx);
        const style = options.paths ?? "single";
        const planned = await plan(stored);
        const changes = await prepare(stored, planned.changes, style);
        const refusals = [
          await refusalOf(() => requirePermission(actor, changes)),
          await refusalOf(() => checkChanges(stored, changes, style)),
        ].filter((refusal) => refusal !== null);
        const errors = refusals.flatMap(problemsOf);
        return { changes, errors, users: refusals.flatMap(usersNamed), beside: planned.beside };
      },
      { isolationLevel: Prisma.TransactionIsolationLevel.RepeatableRead },
    ),
  );
}

async function refusalOf(check: () => void | Promise<void>): Promise<AppError | null> {
  try {
    await check();
    return null;
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    return error;
  }
}

function problemsOf({ errors, message }: AppError): readonly FieldProblem[] {
  return errors.length > 0 ? errors : [{ path: "", message }];
}

/** Waits for other writers and answers the revision that is current. */
async function lock(tx: Prisma.TransactionClient): Promise<number> {
  const select = () => tx.$queryRaw<{ revision: number }[]>`select revision from config_state where id = 1 for update`;
  const [state] = await select();
  if (state !== undefined) return state.revision;
  await tx.$executeRaw`insert into config_state (id, revision) values (1, 0) on conflict do nothing`;
  return (await select())[0]?.revision ?? 0;
}

/** Puts each change beside what is stored; what changes nothing is dropped. */
async function prepare(stored: Stored, asked: readonly Change[], style: PathStyle): Promise<AppliedChange[]> {
  const changes = [...asked, ...(await driftThatGoes(stored, asked))];
  const prepared: AppliedChange[] = [];
  const taken = new Set<string>();
  const leaving = new Set(
    changes.flatMap((change) => (change.action === "create" ? [] : [`${change.resource}\n${change.id}`])),
  );
  for await (const change of inTurns(changes)) {
    const applied = await beside(stored, change);
    const id = applied.after === null ? null : idOf(applied.resource, applied.after);
    const key = `${applied.resource}\n${id}`;
    if (id !== null && (id !== applied.id || applied.action === "create")) {
      const held = !leaving.has(key) && (await stored.get(applied.resource, id)) !== null;
      if (held || taken.has(key)) throw nameTaken(applied, id, style);
    }
    if (id !== null) taken.add(key);
    if (applied.action !== "update" || !isSame(applied)) prepared.push(applied);
  }
  return prepared;
}

async function beside(stored: Stored, change: Change): Promise<AppliedChange> {
  const after = change.action === "delete" ? null : normalised<Kind>(change.resource, change.after);
  if (change.action === "create")
    return {
      resource: change.resource,
      action: "create",
      id: idOf(change.resource, change.after),
      before: null,
      after,
      secret: change.secret ?? {},
    };
  const row = await stored.get<Kind>(change.resource, change.id);
  if (row === null) throw new AppError("not_found", `There is no \`${change.id}\` in ${change.resource}.`);
  const before = toValue<Kind>(change.resource, row);
  if (change.resource === "tools" && change.action === "update" && change.after.id !== change.id)
    throw new AppError("invalid_request", "A tool's id cannot be changed.", {
      errors: [{ path: "id", message: `must be \`${change.id}\`: an id cannot be changed` }],
    });
  const secret = (change.action === "update" ? change.secret : undefined) ?? {};
  return { resource: change.resource, action: change.action, id: change.id, before, after, secret };
}

function nameTaken(change: AppliedChange, id: string, style: PathStyle): AppError {
  const path = pathOf(change, tables[change.resource].id, style);
  return new AppError("conflict", `There is already a \`${id}\` in ${change.resource}.`, {
    errors: [{ path, message: `\`${id}\` is taken` }],
  });
}

/** A row that an older version wrote lacks members that have a default since: read by today's schema it may be the same. */
function isSame({ resource, before, after }: AppliedChange): boolean {
  if (same(before, after)) return true;
  const shape = resource in resources ? resources[resource as ResourceName].input.safeParse(before) : undefined;
  return shape?.success === true && same(shape.data as object, after);
}

function same(before: object | null, after: object | null): boolean {
  return isSameJson(before as unknown as Json, after as unknown as Json);
}

/** The role must be allowed to write each kind that changes; the refusal names the kinds. */
function requirePermission(actor: Actor, changes: readonly AppliedChange[]): void {
  const kinds = [...new Set(changes.map((change) => change.resource))];
  const refused = kinds.filter((kind) => !can(actor.role, tables[kind].write));
  if (refused.length === 0) return;
  throw new AppError("forbidden", `The role \`${actor.role}\` may not change ${refused.join(", ")}.`, {
    errors: refused.map((kind) => ({ path: kind, message: `needs the permission \`${tables[kind].write}\`` })),
  });
}
