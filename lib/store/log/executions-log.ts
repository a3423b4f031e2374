import { storableJson } from "@/lib/access/model/storable";
import { db, rowsOf } from "@/lib/store/db/database";
import type { Preconditions, Intent, Outcome } from "@/lib/store/log/executions-rows";
import {
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

// Writes a call's two rows: the intent before the call runs, the outcome after it (docs/reference/execution.md#pipeline).

/** Whether the row was written and, if not, which precondition no longer holds. */
export interface Written {
  readonly written: boolean;
  /** The configuration's revision at the time of the statement. */
  readonly revision: number;
  readonly keyGood: boolean;
  readonly sessionCurrent: boolean;
  /** Whether the run still holds the labels of the decision. */
  readonly labelsCurrent: boolean;
  /** False: the call needs its session, and another call holds it. */
  readonly sessionFree: boolean;
}

/** A session's part of an outcome. `move` receives the session as it is when its row is locked. */
export interface SessionMove {
  readonly id: string;
  readonly move: (session: LockedSession) => SessionChange;
}

/** Most calls in one statement. */
const MAX_BATCH = 64;

const commitIntent = groupCommit(async (stated: readonly Stated[]) => {
  const rows = await rowsOf<WrittenCall>(intentSql(stated));
  const written = new Map(rows.map(({ callId, ...row }) => [callId, row]));
  return stated.map(({ intent }) => requireRow(written.get(intent?.callId ?? "")));
}, MAX_BATCH);

const commitOutcome = groupCommit(async (outcomes: readonly Outcome[]) => {
  const rows = await rowsOf<{ callId: string }>(outcomeSql(outcomes));
  const written = new Set(rows.map(({ callId }) => callId));
  return outcomes.map(({ callId }) => written.has(callId));
}, MAX_BATCH);

interface WrittenCall extends Written {
  readonly callId: string;
}

function requireRow<T>(row: T | undefined): T {
  if (row === undefined) throw new Error("the log's statement answered nothing");
  return row;
}

/**
 * Writes the intent in one statement that also reads the revision and whether key and session are unchanged. Writes the
 * row only if all preconditions hold (docs/reference/execution.md#pipeline, 9). Concurrent calls share the statement.
 */
export async function writeIntent(intent: Intent, preconditions: Preconditions): Promise<Written> {
  return commitIntent({ intent, preconditions });
}

/** Writes the intent as part of a transaction. */
export async function insertIntent(
  transaction: Prisma.TransactionClient,
  intent: Intent,
  preconditions: Preconditions,
): Promise<Written> {
  const [row] = await queryWithin<Written>(transaction, intentSql([{ intent, preconditions }]));
  return requireRow(row);
}

/** Writes the outcome of an intent that has none. An existing outcome stays. */
export async function endIntent(callId: string, at: Date, ended: EndedCall): Promise<void> {
  await db().$executeRaw(endSql(callId, at, ended));
}

/** Like `endIntent`, as part of a transaction. */
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
      ${output.error === undefined ? null : storableJson(output.error)}::jsonb, execution."stateBefore", ${output.attempts}::int, true
    FROM execution WHERE execution."callId" = ${callId} ON CONFLICT DO NOTHING`;
}

/** The fields of a call's answer that its outcome row needs. */
export interface EndedCall {
  readonly code: string | null;
  readonly output: { readonly status: string; readonly error?: object | undefined; readonly attempts: number };
}

/** Checks the preconditions of a call whose intent is already in the log: `written` = the call may run now. */
export async function checkPreconditions(preconditions: Preconditions): Promise<Written> {
  const [row] = await rowsOf<Written>(preconditionsSql([{ intent: null, preconditions }]));
  return requireRow(row);
}

/**
 * Writes the intent and the outcome of a refusal together, under the preconditions of `writeIntent`. So no refusal follows
 * rules that are no longer in force.
 */
export async function writeRefusal(
  intent: Intent,
  outcome: Outcome,
  preconditions: Preconditions,
  session: SessionMove | null,
): Promise<Written> {
  const statement = refusalSql([{ intent, preconditions }], [outcome]);
  if (session === null) return requireRow((await rowsOf<Written>(statement))[0]);
  return db().$transaction(async (transaction) => {
    const locked = await lockSession(transaction, session.id);
    const written = requireRow((await queryWithin<Written>(transaction, statement))[0]);
    if (written.written && locked !== null) await changeSession(transaction, locked, session.move(locked), outcome.at);
    return written;
  });
}

/**
 * Writes the outcome and, with a session, its state and counters, in one transaction. Locks the session's row first, so
 * that concurrent calls move it one after the other (docs/reference/decision.md#turns).
 *
 * @returns the session's new state; without a session, the outcome's `stateAfter`
 * @throws when the call has no intent, or already has an outcome
 */
export async function writeOutcome(outcome: Outcome, session: SessionMove | null): Promise<string | null> {
  if (session === null) {
    if (!(await commitOutcome(outcome))) throw noIntent(outcome);
    return outcome.stateAfter;
  }
  return db().$transaction(async (transaction) => {
    const locked = await lockSession(transaction, session.id);
    const change = locked === null ? null : session.move(locked);
    const stateAfter = change?.state ?? outcome.stateAfter;
    const rows = await queryWithin<object>(transaction, outcomeSql([{ ...outcome, stateAfter }]));
    if (rows.length === 0) throw noIntent(outcome);
    if (locked !== null && change !== null) await changeSession(transaction, locked, change, outcome.at);
    return stateAfter;
  });
}

/** The `stateAfter` of an outcome whose write got no answer; `undefined` when it was not written. */
export async function findWritten({ callId, callAt, at, status }: Outcome): Promise<string | null | undefined> {
  const row = await db().executionOutcome.findFirst({ where: { callId, callAt, at, status } });
  return row === null ? undefined : row.stateAfter;
}

function queryWithin<T>(transaction: Prisma.TransactionClient, { text, values }: Statement): Promise<T[]> {
  return transaction.$queryRawUnsafe(text, ...values);
}

function noIntent({ callId }: Outcome): Error {
  return new Error(`the log has no intent of ${callId}`);
}
