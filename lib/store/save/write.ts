import { isSameJson } from "@/lib/access/model/canonical";
import type { Json } from "@/lib/access/model/configuration";
import { AppError, type FieldProblem } from "@/lib/errors";
import { resources, type ResourceName } from "@/lib/resources/index";
import { can } from "@/lib/resources/permissions";
import type { RequestRow } from "@/lib/contracts/changes/request";
import type { RowUser } from "@/lib/contracts/changes/row-plan";
import { announceChanges } from "@/lib/store/events/announced-changes";
import { dropBreakers } from "@/lib/store/calls/breakers";
import { copyHeldLabels } from "@/lib/store/labels/copy-held-labels";
import type { Actor, AppliedChange, Change } from "@/lib/store/save/change";
import { checkChanges, pathOf, usersNamed, type PathStyle } from "@/lib/store/save/check";
import { bulkDb } from "@/lib/store/db/database";
import { saveUpstreamDefinitions, type Definitions } from "@/lib/store/sources/upstream-definitions";
import { driftToDelete } from "@/lib/store/sources/drift";
import { Prisma } from "@/lib/store/generated/client";
import { connectionsToEnd, deleteRowsOfEnded } from "@/lib/store/oauth/ended-connections";
import { inTurns } from "@/lib/store/db/in-turns";
import { noteRevision } from "@/lib/store/snapshot/snapshot";
import { ReviewGate, type Review } from "@/lib/store/save/review-gate";
import { movePauses, requirePausesKept } from "@/lib/store/save/paused-rows";
import { save } from "@/lib/store/save/save";
import { Stored } from "@/lib/store/save/stored";
import { idOf, normalised, tables, toValue } from "@/lib/store/config/tables";
import type { Kind } from "@/lib/store/config/values";

export type { Actor, AppliedChange, Change } from "@/lib/store/save/change";

/** A save may take 5 minutes: tens of thousands of tools are one revision, and so are their approval, revert and restore. */
const SAVE_LIMIT = { timeout: 5 * 60_000 };

/** Options of a save. */
export interface WriteOptions {
  /** The form of problem paths; default `single`. */
  readonly paths?: PathStyle;
  /** One line for the revision, such as "restored revision 7". */
  readonly note?: string | undefined;
  /** The revision that the change is based on. A later save is `stale`, unless no plan reads what it changed. */
  readonly ifRevision?: number | undefined;
  /** The time for rows and history. */
  readonly now?: Date;
  /** Called with the number of changed rows that are saved. */
  readonly onProgress?: (done: number) => void;
  /** How the save passes the review gate; absent = it is judged, unless the program saves. */
  readonly review?: Review;
  /** Accepts forms that a save refuses. Default: only if the save is exempt from review. */
  readonly takesForms?: boolean;
  /**
   * The sources' own definitions that the save accepts, by tool id, read after the plan has run. Saved with the changes; a change
   * request keeps them until it is approved.
   */
  readonly definitions?: () => Definitions;
  /** More work for the transaction that opens a request in place of the save, given the request's id. */
  readonly onHeld?: (tx: Prisma.TransactionClient, request: string) => Promise<void>;
  /** More work for the transaction, run last. */
  readonly onSaved?: (tx: Prisma.TransactionClient, written: Written) => Promise<void>;
}

/** The result of a save. Without changes there is no new revision. */
export interface Written {
  readonly revision: number;
  readonly changes: readonly AppliedChange[];
}

/**
 * The only way to change the configuration. One transaction takes the writers' lock, makes the plan, checks permissions,
 * names and usage after all changes, and writes rows, change rows, the revision, its notice and its events. A failure of
 * any part, including the plan's own statements, saves nothing.
 *
 * While reviews are on, a change that may widen access is not saved: it becomes a request, and the answer is
 * `awaits_review` (lib/store/save/review-gate.ts). The plan may then run several times.
 *
 * @throws AppError `forbidden`, `invalid_request`, `not_found`, `conflict`, `in_use`, `config_unavailable`, `awaits_review`
 */
export async function write(actor: Actor, plan: MakePlan, options: WriteOptions = {}): Promise<Written> {
  const gate = new ReviewGate(actor, options.review);
  for (;;) {
    try {
      const written = await writeOnce(gate, actor, plan, options);
      if (written instanceof AppError) throw written;
      noteRevision(written.revision);
      return written;
    } catch (error) {
      if (!(await gate.judge(error))) throw error;
    }
  }
}

/**
 * Saves, and returns what `read` finds in the same transaction. After it, a row may be another writer's.
 *
 * @throws AppError as `write` does
 */
export async function writeAndRead<T>(
  actor: Actor,
  plan: MakePlan,
  read: (tx: Prisma.TransactionClient, written: Written) => Promise<T>,
  options: Omit<WriteOptions, "onSaved"> = {},
): Promise<T> {
  const found: T[] = [];
  await write(actor, plan, {
    ...options,
    onSaved: async (tx, written) => void found.push(await read(tx, written)),
  });
  return found.at(-1) as T;
}

/** Makes the changes of a save from the stored rows. */
type MakePlan = (stored: Stored, tx: Prisma.TransactionClient) => readonly Change[] | Promise<readonly Change[]>;

/** One transaction of a save. Returns the answer for changes that became a request, which it commits instead. */
async function writeOnce(
  gate: ReviewGate,
  actor: Actor,
  plan: MakePlan,
  options: WriteOptions,
): Promise<Written | AppError> {
  return bulkDb().$transaction(async (tx) => {
    const answer = async (revision: number, changes: readonly AppliedChange[]): Promise<Written> => {
      if (options.definitions !== undefined) await saveUpstreamDefinitions(options.definitions(), tx);
      await options.onSaved?.(tx, { revision, changes });
      return { revision, changes };
    };
    const revision = await lock(tx);
    const stored = new Stored(tx);
    if (options.ifRevision !== undefined && (await stored.isChangedSince(options.ifRevision, revision)))
      throw new AppError("stale", `The configuration changed in the meantime. It is now at revision ${revision}.`, {
        extra: { current: { revision } },
      });
    const style = options.paths ?? "single";
    const changes = await prepare(stored, await plan(stored, tx), style);
    await requirePermission(stored, actor, changes);
    if (changes.length === 0) return answer(revision, changes);
    await checkChanges(stored, changes, style, {
      needsReviewers: actor.kind !== "system",
      takesForms: options.takesForms ?? options.review === "exempt",
    });
    const now = options.now ?? new Date();
    const note = options.note ?? "";
    const definitions = options.definitions?.() ?? new Map();
    const held = await gate.admit(tx, { stored, changes, definitions, revision, note, now });
    if (held !== null) {
      const request = held.extra["request"] as RequestRow | undefined;
      if (request !== undefined) await options.onHeld?.(tx, request.id);
      return held;
    }
    // After the gate: a request would name connections that can end before its approval.
    const ended = await prepare(stored, await connectionsToEnd(stored, changes), style);
    const all = [...changes, ...(await movePauses(stored, changes)), ...ended];
    await save(tx, {
      actor,
      changes: all,
      revision: revision + 1,
      now,
      note: (await gate.isUnreviewed(stored)) ? `${note} (not reviewed)`.trim() : note,
      ...(options.onProgress !== undefined && { onProgress: options.onProgress }),
    });
    await deleteRowsOfEnded(tx, all);
    await dropBreakers(tx, changes);
    await announceChanges(tx, changes);
    await copyHeldLabels(tx, changes);
    return answer(revision + 1, changes);
  }, SAVE_LIMIT);
}

/** What changes would do, and the errors that would refuse them. */
interface Rehearsal<T> {
  readonly changes: readonly AppliedChange[];
  readonly errors: readonly FieldProblem[];
  /** References to rows that the changes would delete or rename. */
  readonly users: readonly RowUser[];
  /** Other results of the plan. */
  readonly beside: T;
}

/** Runs the same checks as `write` without saving. */
export async function rehearse<T>(
  actor: Actor,
  plan: (stored: Stored) => Promise<{ readonly changes: readonly Change[]; readonly beside: T }>,
  options: Pick<WriteOptions, "paths"> = {},
): Promise<Rehearsal<T>> {
  return bulkDb().$transaction(
    async (tx) => {
      const stored = new Stored(tx);
      const style = options.paths ?? "single";
      const planned = await plan(stored);
      const changes = await prepare(stored, planned.changes, style);
      const refusals = [
        await refusalOf(() => requirePermission(stored, actor, changes)),
        await refusalOf(() => checkChanges(stored, changes, style)),
      ].filter((refusal) => refusal !== null);
      const errors = refusals.flatMap(problemsOf);
      return { changes, errors, users: refusals.flatMap(usersNamed), beside: planned.beside };
    },
    { isolationLevel: Prisma.TransactionIsolationLevel.RepeatableRead },
  );
}

/** The refusal with which work ends; `null` when it succeeds. A failure of the server is no refusal. */
export async function refusalOf(work: () => Promise<void>): Promise<AppError | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    return error;
  }
}

function problemsOf({ errors, message }: AppError): readonly FieldProblem[] {
  return errors.length > 0 ? errors : [{ path: "", message }];
}

/** Waits for other writers and returns the present revision. */
async function lock(tx: Prisma.TransactionClient): Promise<number> {
  const select = () => tx.$queryRaw<{ revision: number }[]>`select revision from config_state where id = 1 for update`;
  const [state] = await select();
  if (state !== undefined) return state.revision;
  await tx.$executeRaw`insert into config_state (id, revision) values (1, 0) on conflict do nothing`;
  return (await select())[0]?.revision ?? 0;
}

/** Pairs each change with the stored row, and drops changes without an effect. */
async function prepare(stored: Stored, requested: readonly Change[], style: PathStyle): Promise<AppliedChange[]> {
  const changes = [...requested, ...(await driftToDelete(stored, requested))];
  const prepared: AppliedChange[] = [];
  const taken = new Set<string>();
  const leaving = new Set(
    changes.flatMap((change) => (change.action === "create" ? [] : [`${change.resource}\n${change.id}`])),
  );
  for await (const change of inTurns(changes)) {
    const applied = await pairWithStored(stored, change);
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

async function pairWithStored(stored: Stored, change: Change): Promise<AppliedChange> {
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

/** A row from an older version may lack fields that now have defaults. Parsed with today's schema, it may be the same. */
function isSame({ resource, before, after }: AppliedChange): boolean {
  if (same(before, after)) return true;
  const shape = resource in resources ? resources[resource as ResourceName].input.safeParse(before) : undefined;
  return shape?.success === true && same(shape.data as object, after);
}

function same(before: object | null, after: object | null): boolean {
  return isSameJson(before as unknown as Json, after as unknown as Json);
}

/** Requires the role's permission to write each changed kind, and to end the pauses that the changes end. */
async function requirePermission(stored: Stored, actor: Actor, changes: readonly AppliedChange[]): Promise<void> {
  const kinds = [...new Set(changes.map((change) => change.resource))];
  const refused = kinds.filter((kind) => !can(actor.role, tables[kind].write));
  if (refused.length === 0) return requirePausesKept(stored, changes, actor.role);
  throw new AppError("forbidden", `The role \`${actor.role}\` may not change ${refused.join(", ")}.`, {
    errors: refused.map((kind) => ({ path: kind, message: `needs the permission \`${tables[kind].write}\`` })),
  });
}
