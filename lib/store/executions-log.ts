import type { Json, JsonObject } from "@/lib/access/configuration";
import { db, rowsOf } from "@/lib/store/database";
import { Prisma } from "@/lib/store/generated/client";
import { changeSession, lockSession, type SessionChange, type SessionRow } from "@/lib/store/sessions";

/** A body as the log keeps it: redacted and bounded before it comes here (lib/audit/body.ts). */
export interface StoredBody {
  /** JSON text; its beginning only when `cut` is set. */
  readonly text: string;
  /** Keyed digest of the whole redacted value. */
  readonly digest: string;
  /** 32 random bytes of this body's own, kept with it and erased with it. */
  readonly key: Uint8Array<ArrayBuffer>;
  /** HMAC-SHA-256 (hex) of what is kept, under `key`: part of the sealed row. */
  readonly commitment: string;
  /** The whole redacted text's SHA-256 (hex) and size in bytes, when the text was cut. */
  readonly cut: { readonly sha256: string; readonly bytes: number } | null;
}

/** What the intent row says: who asked for what, and what was decided under which revision. */
export interface Intent {
  readonly callId: string;
  readonly instance: string;
  readonly requestId: string;
  readonly at: Date;
  readonly door: string;
  readonly issuer: string;
  readonly subject: string;
  readonly agent: string | null;
  readonly claims: { readonly digest: string; readonly ciphertext: string };
  readonly toolId: string | null;
  readonly source: string | null;
  readonly asked: string;
  readonly definitionHash: string | null;
  readonly policies: readonly string[];
  readonly groups: readonly string[];
  readonly revision: number;
  readonly session: string | null;
  readonly stateBefore: string | null;
  readonly mode: string | null;
  /** The request as resolved, without claims. */
  readonly request: JsonObject;
  readonly arguments: StoredBody | null;
  readonly argumentsDigest: string | null;
  /** The call of the script that made this one. */
  readonly parent: string | null;
  /** W3C Trace Context: 32 hexadecimal digits. */
  readonly traceId: string | null;
}

/** What the decision was made on. A row is written only while all of it is still so. */
export interface Basis {
  readonly revision: number;
  /** The API key that was used and whose it is; a token's issuer and agent are part of the revision. */
  readonly key: { readonly id: string; readonly agent: string } | null;
  readonly session: { readonly id: string; readonly version: number } | null;
}

/** Whether the row was written, and if not, what is no longer so. */
export interface Written {
  readonly written: boolean;
  /** The configuration's revision at the time of the statement. */
  readonly revision: number;
  readonly keyGood: boolean;
  readonly sessionCurrent: boolean;
}

/** How a call ended. */
export interface Outcome {
  readonly callId: string;
  readonly at: Date;
  readonly status: "succeeded" | "failed" | "denied" | "cancelled";
  readonly code: string | null;
  readonly reason: string | null;
  readonly error: Json;
  readonly stateAfter: string | null;
  readonly attempts: number;
  readonly gatewayMs: number | null;
  readonly upstreamMs: number | null;
  readonly empty: boolean;
  readonly result: StoredBody | null;
}

/** A session's part in an outcome: computed on the state that the session has when the row is locked. */
export interface SessionMove {
  readonly id: string;
  readonly move: (session: SessionRow) => SessionChange;
}

/** Runs one statement: by itself, past Prisma's engine, or as part of a transaction. */
type Run = <T extends object>(sql: Prisma.Sql) => PromiseLike<T[]>;

function within(transaction: Prisma.TransactionClient): Run {
  return (sql) => transaction.$queryRaw(sql);
}

/**
 * Writes the intent in ONE statement that also reads the revision now current and whether key and session
 * are as they were; the row is written only when they are (4-execution, Pipeline, 9).
 */
export async function writeIntent(intent: Intent, basis: Basis): Promise<Written> {
  return runIntent(rowsOf, intent, basis);
}

/** The same as part of a transaction. */
export async function insertIntent(
  transaction: Prisma.TransactionClient,
  intent: Intent,
  basis: Basis,
): Promise<Written> {
  return runIntent(within(transaction), intent, basis);
}

async function runIntent(run: Run, intent: Intent, basis: Basis): Promise<Written> {
  return first(
    await run<Written>(Prisma.sql`${basisSql(basis)}, ${intentSql(intent, basis)} SELECT ${WRITTEN} FROM basis`),
  );
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
      ${output.error === undefined ? null : JSON.stringify(output.error)}::jsonb, execution."stateBefore", ${output.attempts}::int, true
    FROM execution WHERE execution."callId" = ${callId} ON CONFLICT DO NOTHING`;
}

/** What a call's answer says of its end. */
export interface EndedCall {
  readonly code: string | null;
  readonly output: { readonly status: string; readonly error?: object | undefined; readonly attempts: number };
}

/** Reads what is current, for a call whose intent is in the log already: `written` = it may run now. */
export async function checkBasis(basis: Basis): Promise<Written> {
  return first(
    await rowsOf<Written>(Prisma.sql`${basisSql(basis)}
      SELECT "revision", "keyGood", "sessionCurrent",
        "revision" = ${basis.revision}::int AND "keyGood" AND "sessionCurrent" AS "written" FROM basis`),
  );
}

/**
 * Writes a refusal: intent and outcome together, under the same conditions as `writeIntent`, so that a
 * refusal too is never the answer of rules that are no longer in force.
 */
export async function writeRefusal(
  intent: Intent,
  outcome: Outcome,
  basis: Basis,
  session: SessionMove | null,
): Promise<Written> {
  const insert = async (run: Run, ended: Outcome) =>
    first(
      await run<Written>(Prisma.sql`
        ${basisSql(basis)}, ${intentSql(intent, basis)}, ${outcomeSql(ended)}
        SELECT ${WRITTEN} FROM basis`),
    );
  if (session === null) return insert(rowsOf, outcome);
  return db().$transaction(async (transaction) => {
    const locked = await lockSession(transaction, session.id);
    const written = await insert(within(transaction), outcome);
    if (written.written && locked !== null) await changeSession(transaction, locked, session.move(locked), outcome.at);
    return written;
  });
}

/**
 * Writes the outcome, and with a session its state and counters, in one transaction. The session's row is
 * locked first: two calls at once move it one after the other (3-http, State moves serialisably).
 * Returns the state that the session has now, or the one given.
 *
 * @throws when the call has no intent, or an outcome already
 */
export async function writeOutcome(outcome: Outcome, session: SessionMove | null): Promise<string | null> {
  const insert = async (run: Run, ended: Outcome) => {
    const written = await run(Prisma.sql`
      WITH intent AS (SELECT "callId", "at" FROM execution WHERE "callId" = ${ended.callId}), ${outcomeSql(ended)}
      SELECT 1 FROM outcome`);
    if (written.length === 0) throw new Error(`the log has no intent of ${ended.callId}`);
  };
  if (session === null) {
    await insert(rowsOf, outcome);
    return outcome.stateAfter;
  }
  return db().$transaction(async (transaction) => {
    const locked = await lockSession(transaction, session.id);
    const change = locked === null ? null : session.move(locked);
    const stateAfter = change?.state ?? outcome.stateAfter;
    await insert(within(transaction), { ...outcome, stateAfter });
    if (locked !== null && change !== null) await changeSession(transaction, locked, change, outcome.at);
    return stateAfter;
  });
}

const WRITTEN = Prisma.sql`"revision", "keyGood", "sessionCurrent", EXISTS (SELECT 1 FROM intent) AS "written"`;

function first(rows: readonly Written[]): Written {
  const [row] = rows;
  if (row === undefined) throw new Error("the log's statement answered nothing");
  return row;
}

/** One row: what is current now, beside what the decision was made on. */
function basisSql({ key, session }: Basis): Prisma.Sql {
  return Prisma.sql`WITH basis AS (
    SELECT
      COALESCE((SELECT revision FROM config_state WHERE id = 1), 0) AS "revision",
      ${key?.id ?? null}::text IS NULL OR EXISTS (
        SELECT 1 FROM api_key WHERE agent = ${key?.agent ?? null}::text AND enabled AND "expiresAt" > now()
          AND ("keyId" = ${key?.id ?? null}::text
            OR ("previousKeyId" = ${key?.id ?? null}::text AND "previousUntil" > now()))) AS "keyGood",
      ${session?.id ?? null}::text IS NULL OR EXISTS (
        SELECT 1 FROM agent_session WHERE id = ${session?.id ?? null}::text AND version = ${session?.version ?? 0}::int) AS "sessionCurrent"
  )`;
}

function intentSql(intent: Intent, basis: Basis): Prisma.Sql {
  return Prisma.sql`intent AS (
    INSERT INTO execution ("callId", "instance", "requestId", "at", "door", "issuer", "subject", "agent", "claimsDigest",
      "toolId", "source", "asked", "definitionHash", "policies", "groups", "revision", "session", "stateBefore", "mode",
      "request", "argumentsDigest", "argumentsCommitment", "parent", "traceId")
    SELECT ${intent.callId}, ${intent.instance}, ${intent.requestId}, ${intent.at.toISOString()}::timestamptz, ${intent.door},
      ${intent.issuer}, ${intent.subject}, ${intent.agent}, ${intent.claims.digest}, ${intent.toolId}, ${intent.source},
      ${intent.asked}, ${intent.definitionHash}, ${[...intent.policies]}::text[], ${[...intent.groups]}::text[],
      ${intent.revision}::int, ${intent.session}, ${intent.stateBefore}, ${intent.mode},
      ${JSON.stringify(intent.request)}::jsonb, ${intent.argumentsDigest},
      ${intent.arguments?.commitment ?? null}, ${intent.parent}, ${intent.traceId}
    FROM basis WHERE basis."revision" = ${basis.revision}::int AND basis."keyGood" AND basis."sessionCurrent"
    RETURNING "callId", "at"
  ), claims AS (
    INSERT INTO execution_claims ("digest", "at", "ciphertext")
    SELECT ${intent.claims.digest}, ${intent.at.toISOString()}::timestamptz, ${intent.claims.ciphertext} FROM intent
    ON CONFLICT DO NOTHING
  )${intent.arguments === null ? Prisma.empty : bodySql("arguments", intent.arguments)}`;
}

/** As part of a statement in which `intent` is the call's row. */
function outcomeSql(outcome: Outcome): Prisma.Sql {
  return Prisma.sql`outcome AS (
    INSERT INTO execution_outcome ("callId", "callAt", "at", "status", "code", "reason", "error", "stateAfter", "attempts",
      "gatewayMs", "upstreamMs", "empty", "resultCommitment")
    SELECT intent."callId", intent."at", ${outcome.at.toISOString()}::timestamptz, ${outcome.status}, ${outcome.code}, ${outcome.reason},
      ${outcome.error === null ? null : JSON.stringify(outcome.error)}::jsonb, ${outcome.stateAfter},
      ${outcome.attempts}::int, ${outcome.gatewayMs}::float8, ${outcome.upstreamMs}::float8, ${outcome.empty}::boolean,
      ${outcome.result?.commitment ?? null}
    FROM intent RETURNING "callId"
  )${outcome.result === null ? Prisma.empty : bodySql("result", outcome.result)}`;
}

function bodySql(part: "arguments" | "result", body: StoredBody): Prisma.Sql {
  return Prisma.sql`, ${Prisma.raw(part)} AS (
    INSERT INTO execution_body ("callId", "callAt", "part", "text", "digest", "sha256", "bytes", "key")
    SELECT intent."callId", intent."at", ${part}, ${body.text}, ${body.digest}, ${body.cut?.sha256 ?? null},
      ${body.cut?.bytes ?? null}::int, ${body.key}
    FROM intent
  )`;
}
