import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { AppError } from "@/lib/errors";
import {
  executionFilters,
  executionQuery,
  type ExecutionDetail,
  type ExecutionQuery,
  type ExecutionRow,
} from "@/lib/contracts/log/execution";
import { APPROVAL_ANSWERS } from "@/lib/contracts/log/audit-actions";
import { MAX_COUNTED, toTotal, type Page } from "@/lib/contracts/changes/list";
import { open } from "@/lib/store/keys/cipher";
import { db, logRowsOf, rowsOf } from "@/lib/store/db/database";
import { pageSql, countSql, CALL_COLUMNS, orderOf, toCursor } from "@/lib/store/log/execution-filters";
import { loadBodies, loadErased } from "@/lib/store/log/execution-bodies";
import { namesFor, type SearchedNames } from "@/lib/store/log/execution-search";
import { Prisma } from "@/lib/store/generated/client";
import { toApprovalRow, type StoredApproval } from "@/lib/store/calls/approvals";
import type { Principal } from "@/lib/store/calls/sessions";
import { searchInTime } from "@/lib/store/db/search-in-time";
import { isStatementTimeout } from "@/lib/store/db/translate";
import { flowRulesOf, raisedByOf } from "@/lib/store/labels/raised-by";

/** An execution joined with its outcome, as these statements select it. */
interface Joined extends Omit<ExecutionRow, "at" | "answeredAt"> {
  readonly at: Date;
  readonly answeredAt: Date | null;
}

const COLUMNS = Prisma.sql`
  execution."callId", "requestId", execution."at", "issuer", "subject", "agent", "toolId", "asked", "parent", "traceId",
  COALESCE(outcome."status", CASE WHEN "waitingCall" IS NULL THEN 'running' ELSE 'awaiting_approval' END) AS "status", "code", "reason", "policies", "groups",
  ARRAY(SELECT jsonb_array_elements_text(COALESCE("request" -> 'flowRules', '[]'))) AS "flowRules", "approver", "revision", "session",
  "stateBefore", "stateAfter", "mode", COALESCE("attempts", 0) AS "attempts", "gatewayMs", "upstreamMs",
  "answeredAt", "answerReason"`;

/** The bodies for readers without the permission. */
const NO_BODIES = { arguments: null, result: null, truncated: null };

/** Executions with their outcomes (absent while they run) and `"waitingCall"`: whether they wait for an approval. */
export const EXECUTION_JOIN = joinedTo(
  Prisma.sql`execution`,
  Prisma.sql`execution_outcome outcome ON outcome."callId" = execution."callId" AND outcome."callAt" = execution."at"`,
);

/** The outcome of each row of a page. LIMIT forces a lookup per row: for a large page Postgres would read all outcomes. */
const OUTCOME_OF_EACH = Prisma.sql`LATERAL (
  SELECT * FROM execution_outcome WHERE "callId" = execution."callId" AND "callAt" = execution."at" LIMIT 1) outcome ON true`;

function joinedTo(executions: Prisma.Sql, outcome: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
  FROM ${executions} LEFT JOIN ${outcome}
  LEFT JOIN (SELECT "callId" AS "askedCall", CASE WHEN status = 'waiting' THEN "callId" END AS "waitingCall",
    "decidedBy" AS "approver", CASE WHEN "decidedBy" IS NOT NULL THEN "closesAt" END AS "answeredAt",
    approval.reason AS "answerReason" FROM approval) asked
    ON "askedCall" = execution."callId"`;
}

/**
 * Lists the log, newest first (`sort=at`: oldest first), by keyset over (at, callId).
 *
 * @throws AppError `invalid_request` for an unknown filter, sort or cursor, and for a search that takes too long;
 * `config_unavailable`
 */
export async function listExecutions(query: ExecutionQuery): Promise<Page<ExecutionRow>> {
  refuseUnknown(query);
  const { cursor: _start, ...whole } = query;
  const names = await namesFor(query.q);
  const [page, [count]] = await Promise.all([
    readPage(query, names),
    searchInTime(query, () => rowsOf<{ total: number }>(countSql(whole, names, MAX_COUNTED + 1))),
  ]);
  return { ...page, ...toTotal(count?.total ?? 0) };
}

/**
 * Reads a page without a count, for exports. A page of rare calls may read much of the log; after a timeout it runs again
 * with more time, because an error would lose the pages before it.
 *
 * @throws AppError `invalid_request` for a wrong cursor, and for a search that takes too long; `config_unavailable`
 */
export async function readExecutions(query: ExecutionQuery): Promise<Uncounted> {
  return readPage(query, await namesFor(query.q), async (sql) => {
    try {
      return await rowsOf<Joined>(sql);
    } catch (error) {
      if (!isStatementTimeout(error)) throw error;
      return logRowsOf<Joined>(sql);
    }
  });
}

type Uncounted = Pick<Page<ExecutionRow>, "items" | "nextCursor">;

async function readPage(
  query: ExecutionQuery,
  names: SearchedNames | null,
  runQuery = rowsOf<Joined>,
): Promise<Uncounted> {
  const calls = joinedTo(pageSql(query, names, query.limit + 1), OUTCOME_OF_EACH);
  // Without Prisma's engine, which would make an export of a million calls slower and larger.
  const rows = await searchInTime(query, () =>
    runQuery(Prisma.sql`SELECT ${COLUMNS} ${calls} ORDER BY ${orderOf(query, CALL_COLUMNS)}`),
  );
  const last = rows.length > query.limit ? rows[query.limit - 1] : undefined;
  return { items: rows.slice(0, query.limit).map(toRow), nextCursor: last === undefined ? null : toCursor(last) };
}

/**
 * One execution, with its bodies if `bodies` is set; `null` when it does not exist.
 *
 * @throws AppError `config_unavailable`
 */
export async function getExecution(
  callId: string,
  { bodies }: { readonly bodies: boolean },
): Promise<ExecutionDetail | null> {
  const stored = await db().execution.findFirst({ where: { callId } });
  if (stored === null) return null;
  const [outcome, shownBodies, erased, claims, approval, answer] = await Promise.all([
    db().executionOutcome.findFirst({ where: { callId, callAt: stored.at } }),
    bodies ? loadBodies(callId, stored.at) : NO_BODIES,
    loadErased(callId),
    bodies ? loadClaims(stored.claimsDigest) : null,
    db().approval.findUnique({ where: { callId } }),
    // The first event is the answer, because a call is answered once.
    db().auditEvent.findFirst({
      where: { target: callId, action: { in: [...APPROVAL_ANSWERS] } },
      orderBy: { id: "asc" },
      select: { actor: true, at: true },
    }),
  ]);
  return {
    ...toRow({
      ...stored,
      status: (outcome?.status ??
        (approval?.status === "waiting" ? "awaiting_approval" : "running")) as ExecutionRow["status"],
      flowRules: flowRulesOf(stored.request as JsonObject),
      ...answerOf(approval, answer),
      code: outcome?.code ?? null,
      reason: outcome?.reason ?? null,
      stateAfter: outcome?.stateAfter ?? null,
      attempts: outcome?.attempts ?? 0,
      gatewayMs: outcome?.gatewayMs ?? null,
      upstreamMs: outcome?.upstreamMs ?? null,
    }),
    client: stored.client,
    claimsDigest: stored.claimsDigest,
    claims: claims as Record<string, never> | null,
    ...shownBodies,
    error: errorOf(outcome?.error ?? null, bodies),
    request: stored.request as Record<string, never>,
    raisedBy: raisedByOf(stored.request as JsonObject),
    bodiesHidden: !bodies,
    approval: approval === null ? null : approvalOf(approval, answer),
    erased,
  };
}

/** A call's request and its principal. */
export interface LoggedRequest extends Pick<Principal, "issuer" | "subject" | "client"> {
  readonly toolId: string | null;
  readonly stateBefore: string | null;
  /** The request as resolved, without claims. */
  readonly request: JsonObject;
}

/** The request of one call; `null` when it is not in the log. @throws AppError `config_unavailable` */
export async function findLoggedRequest(callId: string): Promise<LoggedRequest | null> {
  const select = { issuer: true, subject: true, client: true, toolId: true, stateBefore: true, request: true } as const;
  const row = await db().execution.findFirst({ where: { callId }, select });
  return row === null ? null : { ...row, request: row.request as JsonObject };
}

/** When a call ended; `null` before its end. @throws AppError `config_unavailable` */
export async function endOfCall(callId: string): Promise<Date | null> {
  const ended = await db().executionOutcome.findFirst({ where: { callId }, select: { at: true } });
  return ended?.at ?? null;
}

/** The audit event of a person's answer: who answered, and when. It is sealed; the approval is not. */
type SealedAnswer = { readonly actor: string; readonly at: Date } | null;

/** The person's answer. The approval, which is not sealed, gives only the reason. */
function answerOf(
  approval: StoredApproval | null,
  answer: SealedAnswer,
): Pick<Joined, "approver" | "answeredAt" | "answerReason"> {
  if (answer === null) return { approver: null, answeredAt: null, answerReason: null };
  return { approver: answer.actor, answeredAt: answer.at, answerReason: approval?.reason ?? null };
}

function approvalOf(approval: StoredApproval, answer: SealedAnswer): ExecutionDetail["approval"] {
  const { status, closesAt, reason } = toApprovalRow(approval);
  const { approver, answeredAt } = answerOf(approval, answer);
  return { status, closesAt: answeredAt?.toISOString() ?? closesAt, decidedBy: approver, reason };
}

/** The claims behind a digest; `null` when they were erased or no present master key opens them. */
async function loadClaims(digest: string): Promise<JsonObject | null> {
  const row = await db().executionClaims.findUnique({ where: { digest } });
  const text = row === null ? null : open("claims", row.ciphertext, digest);
  return text === null ? null : (JSON.parse(text) as JsonObject);
}

/** Removes error details, which may repeat the tool's result, for readers who may not see bodies. */
function errorOf(error: Prisma.JsonValue, bodies: boolean): ExecutionDetail["error"] {
  if (error === null) return null;
  const { details, ...shown } = error as { details?: Json; code: string; message: string; retryable: boolean };
  return bodies && details !== undefined ? ({ ...shown, details } as ExecutionDetail["error"]) : shown;
}

function toRow(row: Joined): ExecutionRow {
  return {
    callId: row.callId,
    requestId: row.requestId,
    at: row.at.toISOString(),
    issuer: row.issuer,
    subject: row.subject,
    agent: row.agent,
    toolId: row.toolId,
    asked: row.asked,
    parent: row.parent,
    traceId: row.traceId,
    status: row.status,
    code: row.code,
    reason: row.reason,
    policies: row.policies,
    groups: row.groups,
    flowRules: row.flowRules,
    approver: row.approver,
    revision: row.revision,
    session: row.session,
    stateBefore: row.stateBefore,
    stateAfter: row.stateAfter,
    mode: row.mode,
    attempts: row.attempts,
    gatewayMs: row.gatewayMs,
    upstreamMs: row.upstreamMs,
    answeredAt: row.answeredAt?.toISOString() ?? null,
    answerReason: row.answerReason,
  };
}

const KNOWN: ReadonlySet<string> = new Set(Object.keys(executionQuery.shape));
const FILTERS = Object.keys(executionFilters.shape).join(", ");

function refuseUnknown(query: ExecutionQuery): void {
  const unknown = Object.keys(query).filter((key) => !KNOWN.has(key));
  const errors = unknown.map((path) => ({ path, message: `unknown filter: calls can be filtered by ${FILTERS}` }));
  if (query.sort !== undefined && !["at", "-at"].includes(query.sort))
    errors.push({ path: "sort", message: "sort by `at` or `-at`" });
  if (errors.length > 0) throw new AppError("invalid_request", "The query is not valid.", { errors });
}
