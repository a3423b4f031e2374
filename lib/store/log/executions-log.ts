import { db, rowsOf } from "@/lib/store/db/database";
import type { Preconditions, Intent, Outcome } from "@/lib/store/log/executions-rows";
import {
  fittingJson,
  preconditionsSql,
  intentSql,
  outcomeSql,
  refusalSql,
  type Stated,
  type Statement,
} from "@/lib/store/log/executions-sql";
import { Prisma } from "@/lib/store/generated/client";
import { changeSession, lockSession, type LockedSession, type SessionChange } from "@/lib/store/calls/sessions";
import { groupCommit } from "@/lib/store/db/group-commit";

/** Whether the row was written, and if not, what is no longer so. */
export interface Written {
  readonly written: boolean;
  /** The configuration's revision at the time of the statement. */
  readonly revision: number;
  readonly keyGood: boolean;
  readonly sessionCurrent: boolean;
  /** False: the call has to hold its session, and another call holds it. */
  readonly sessionFree: boolean;
}

/** A session's part in an outcome: computed on the state that the session has when the row is locked. */
export interface SessionMove {
  readonly id: string;
  readonly move: (session: LockedSession) => SessionChange;
}

/** How many statements of a kind a process has under way, and how many calls one of them takes at most. */
const TOGETHER = { concurrency: 2, maxBatch: 64 };

const intentsTogether = groupCommit(async (stated: readonly Stated[]) => {
  const rows = await rowsOf<WrittenCall>(intentSql(stated));
  const written = new Map(rows.map(({ callId, ...row }) => [callId, row]));
  return stated.map(({ intent }) => answered(written.get(intent?.callId ?? "")));
}, TOGETHER);

const outcomesTogether = groupCommit(async (outcomes: readonly Outcome[]) => {
  const rows = await rowsOf<{ callId: string }>(outcomeSql(outcomes));
  const written = new Set(rows.map(({ callId }) => callId));
  return outcomes.map(({ callId }) => written.has(callId));
}, TOGETHER);

interface WrittenCall extends Written {
  readonly callId: string;
}

function answered<T>(row: T | undefined): T {
  if (row === undefined) throw new Error("the log's statement answered nothing");
  return row;
}

/**
 * Writes the intent in ONE statement that also reads the revision now current and whether key and session
 * are as they were; the row is written only when they are (docs/reference/execution.md#pipeline, 9). Calls that ask at once share it.
 */
export function writeIntent(intent: Intent, preconditions: Preconditions): Promise<Written> {
  return intentsTogether({ intent, preconditions });
}

/** The same as part of a transaction. */
export async function insertIntent(
  transaction: Prisma.TransactionClient,
  intent: Intent,
  preconditions: Preconditions,
): Promise<Written> {
  const [row] = await within<Written>(transaction, intentSql([{ intent, preconditions }]));
  return answered(row);
}

/** Closes an intent that has no outcome yet; one that has keeps it. */
export async function endIntent(callId: string, at: Date, ended: EndedCall): Promise<void> {
  await db().$executeRaw(endSql(callId, at, ended));
}

/** The same as part of a transaction. */
export async function insertEnd(
  transaction: Prisma.TransactionClient,
  callId: string,
  at: Date,
  ended: EndedCall,
): Promise<void> {
  await transaction.$executeRaw(endSql(callId, at, ended));
}

function endSql(callId: string, at: Date, { code, output }: EndedCall): Prisma.Sql {
  return Prisma.sql`
    INSERT INTO execution_outcome ("callId", "callAt", "at", "status", "code", "reason", "error", "stateAfter", "attempts", "empty")
    SELECT ${callId}, execution."at", ${at.toISOString()}::timestamptz, ${output.status}, ${code}, ${code},
      ${output.error === undefined ? null : fittingJson(output.error)}::jsonb, execution."stateBefore", ${output.attempts}::int, true
    FROM execution WHERE execution."callId" = ${callId} ON CONFLICT DO NOTHING`;
}

/** What a call's answer says of its end. */
export interface EndedCall {
  readonly code: string | null;
  readonly output: { readonly status: string; readonly error?: object | undefined; readonly attempts: number };
}

/** Reads what is current, for a call whose intent is in the log already: `written` = it may run now. */
export async function checkPreconditions(preconditions: Preconditions): Promise<Written> {
  const [row] = await rowsOf<Written>(preconditionsSql([{ intent: null, preconditions }]));
  return answered(row);
}

/**
 * Writes a refusal: intent and outcome together, under the same conditions as `writeIntent`, so that a
 * refusal too is never the answer of rules that are no longer in force.
 */
export async function writeRefusal(
  intent: Intent,
  outcome: Outcome,
  preconditions: Preconditions,
  session: SessionMove | null,
): Promise<Written> {
  const statement = refusalSql([{ intent, preconditions }], [outcome]);
  if (session === null) return answered((await rowsOf<Written>(statement))[0]);
  return db().$transaction(async (transaction) => {
    const locked = await lockSession(transaction, session.id);
    const written = answered((await within<Written>(transaction, statement))[0]);
    if (written.written && locked !== null) await changeSession(transaction, locked, session.move(locked), outcome.at);
    return written;
  });
}

/**
 * Writes the outcome, and with a session its state and counters, in one transaction. The session's row is
 * locked first: two calls at once move it one after the other (docs/reference/decision.md#turns).
 * Returns the state that the session has now, or the one given.
 *
 * @throws when the call has no intent, or an outcome already
 */
export async function writeOutcome(outcome: Outcome, session: SessionMove | null): Promise<string | null> {
  if (session === null) {
    if (!(await outcomesTogether(outcome))) throw noIntent(outcome);
    return outcome.stateAfter;
  }
  return db().$transaction(async (transaction) => {
    const locked = await lockSession(transaction, session.id);
    const change = locked === null ? null : session.move(locked);
    const stateAfter = change?.state ?? outcome.stateAfter;
    const rows = await within<object>(transaction, outcomeSql([{ ...outcome, stateAfter }]));
    if (rows.length === 0) throw noIntent(outcome);
    if (locked !== null && change !== null) await changeSession(transaction, locked, change, outcome.at);
    return stateAfter;
  });
}

/** The state that an outcome left behind which was written without anybody hearing of it; `undefined` when it was not. */
export async function findWritten({ callId, callAt, at, status }: Outcome): Promise<string | null | undefined> {
  const row = await db().executionOutcome.findFirst({ where: { callId, callAt, at, status } });
  return row === null ? undefined : row.stateAfter;
}

function within<T>(transaction: Prisma.TransactionClient, { text, values }: Statement): Promise<T[]> {
  return transaction.$queryRawUnsafe(text, ...values);
}

function noIntent({ callId }: Outcome): Error {
  return new Error(`the log has no intent of ${callId}`);
}
