import { createHash } from "node:crypto";
import { canonicalText } from "@/lib/access/model/canonical";
import type { Json } from "@/lib/access/model/configuration";
import { maskedPaths } from "@/lib/audit/record/masked-paths";
import { redact } from "@/lib/audit/record/redact";
import { AppError } from "@/lib/errors";
import type { ApprovalDetail } from "@/lib/contracts/log/approval";
import { can } from "@/lib/resources/permissions";
import type { SourceRow } from "@/lib/resources/source";
import { toolNeedsApproval, type ToolRow } from "@/lib/resources/tool";
import {
  approveCall,
  expireApprovals,
  findApproval,
  refuseCall,
  toApprovalRow,
  waitingJob,
  type Decision,
  type StoredApproval,
} from "@/lib/store/calls/approvals";
import { recordAuditEvent } from "@/lib/store/audit/audit-events";
import { droppedCall } from "@/lib/store/log/dropped-calls";
import { getExecution } from "@/lib/store/log/executions";
import type { EndedCall } from "@/lib/store/log/executions-log";
import type { ApprovalRequest } from "@/lib/store/calls/stored-calls";
import { ownCall } from "@/lib/store/calls/own-calls";
import { currentSnapshot, type Snapshot } from "@/lib/store/snapshot/snapshot";
import type { Actor } from "@/lib/store/save/write";
import type { Call, Refusal } from "@/lib/calls/pipeline/call";
import type { AuthorizedCall } from "@/lib/calls/pipeline/decide";
import type { Job } from "@/lib/calls/queue/queued";
import { rulesThatAsk } from "@/lib/access/decide/flow-rules";
import { refusedNow } from "@/lib/calls/approvals/refused-now";
import { argumentsDigest } from "@/lib/calls/record/record";
import type { CallContext } from "@/lib/calls/pipeline/call-context";

const MINUTE_MS = 60_000;

/** Step 8: whether a person has to approve the call (docs/reference/execution.md#approvals). */
export function needsApproval({ tool }: AuthorizedCall, { snapshot, request }: CallContext): boolean {
  return (
    toolNeedsApproval(tool, snapshot.settings.approvals.sideEffects) ||
    rulesThatAsk(snapshot.index, request, tool.id).length > 0
  );
}

/** The tool definition and the arguments to which the approval of a call is bound. */
export function toApproval(
  call: Call,
  { tool, source }: AuthorizedCall,
  { snapshot, now }: CallContext,
): ApprovalRequest {
  return {
    toolId: tool.id,
    definitionHash: approvedHash(tool, source),
    argumentsDigest: argumentsDigest(call),
    closesAt: new Date(now + snapshot.settings.approvals.minutes * MINUTE_MS),
  };
}

/** SHA-256 (64 hex digits) of a tool's definition and its upstream: an approval is void when either changes. */
function approvedHash(tool: ToolRow, { kind, url, command, auth }: SourceRow): string {
  const { definitionHash, run } = tool;
  const text = canonicalText({ definitionHash, run, source: { kind, url, command, auth } } as unknown as Json);
  return createHash("sha256").update(text).digest("hex");
}

/**
 * Step 8 for a call that cannot wait, because it was accepted before, or a script or a trial made it: an approval counts for
 * this caller, this tool definition and these arguments only, until it expires. `null` = it counts.
 */
export function againstApproval(
  approval: StoredApproval | null,
  call: Call,
  { tool, source }: AuthorizedCall,
  { caller, snapshot, now }: CallContext,
): Refusal | null {
  if (approval === null)
    return call.mode === "resumed"
      ? denied("This tool now requires approval: make the call again.", "not_asked")
      : denied("This tool requires approval, and only a direct call of an agent can wait for it.", "cannot_wait");
  if (approval.status !== "approved") return denied("The call was not approved.", approval.status);
  if (approval.closesAt.getTime() + snapshot.settings.approvals.minutes * MINUTE_MS <= now)
    return {
      code: "approval_expired",
      message: "The call was approved, but did not start in time: make it again.",
      reason: "approval_expired",
    };
  if (approval.toolId !== tool.id || approval.definitionHash !== approvedHash(tool, source))
    return denied("The tool changed after the call: make the call again.", "definition_changed");
  const { issuer, subject, agent } = caller.principal;
  const bound =
    approval.issuer === issuer &&
    approval.subject === subject &&
    approval.agent === agent &&
    approval.argumentsDigest === argumentsDigest(call);
  return bound ? null : denied("The approval was given for another call.", "approval_of_another_call");
}

function denied(message: string, why: string): Refusal {
  return { code: "approval_denied", message, reason: `approval_denied: ${why}` };
}

/**
 * One approval for an approver. A person who may answer a waiting call sees unmasked arguments, because the agent chooses
 * the names of keys and could hide values by them. Other people with the role see masked arguments; after the answer,
 * readers of bodies see the arguments in the log. The audit trail records first that arguments were shown.
 *
 * @throws AppError `not_found`, `dropped` when the call is of a dropped month, `config_unavailable`
 */
export async function readApproval(id: string, actor: Actor, requestId: string): Promise<ApprovalDetail> {
  await expireApprovals(new Date());
  return toDetail(id, actor, requestId);
}

/** Several approvals, as `readApproval` reads one. Leaves out unknown and dropped calls. */
export async function readApprovals(
  ids: readonly string[],
  actor: Actor,
  requestId: string,
): Promise<ApprovalDetail[]> {
  await expireApprovals(new Date());
  const found: ApprovalDetail[] = [];
  // In sequence: one person's list must not use every connection of the pool.
  for (const id of new Set(ids)) {
    const approval = await toDetail(id, actor, requestId).catch((error: unknown) => {
      if (error instanceof AppError && (error.code === "not_found" || error.code === "dropped")) return null;
      throw error;
    });
    if (approval !== null) found.push(approval);
  }
  return found;
}

async function toDetail(id: string, actor: Actor, requestId: string): Promise<ApprovalDetail> {
  const approval = await requireApproval(id);
  const execution = await getExecution(id, { bodies: false });
  if (execution === null) throw (await droppedCall(id)) ?? new AppError("not_found", "There is no such approval.");
  const snapshot = await currentSnapshot();
  const own = await ownCall(actor, approval);
  const { policies, groups, revision, stateBefore, session, raisedBy } = execution;
  const job = await waitingJob(id);
  const mayAnswer = approval.status === "waiting" && can(actor.role, "calls:approve") && isAnothers(actor, own);
  return {
    ...toApprovalRow(approval),
    definitionHash: approval.definitionHash,
    definitionChanged: hashNow(approval.toolId, snapshot) !== approval.definitionHash,
    refusedNow: await refusedNow(approval.toolId, job, snapshot),
    ...(await shownArguments(approval, job, { actor, requestId, mayAnswer }, snapshot.settings.redact)),
    policies,
    groups,
    revision,
    raisedBy,
    state: stateBefore,
    session,
    own,
    mayAnswer,
  };
}

function hashNow(toolId: string, { tools, sources }: Snapshot): string | null {
  const tool = tools.get(toolId);
  const source = tool === undefined ? undefined : sources.get(tool.source);
  return tool === undefined || source === undefined ? null : approvedHash(tool, source);
}

async function shownArguments(
  { callId }: StoredApproval,
  waiting: string | null,
  { actor, requestId, mayAnswer }: Reader,
  configured: readonly string[],
): Promise<Pick<ApprovalDetail, "arguments" | "argumentsHidden" | "sensitive">> {
  const job = can(actor.role, "calls:approve") ? waiting : null;
  if (job === null && !can(actor.role, "executions:bodies"))
    return { arguments: null, argumentsHidden: true, sensitive: [] };
  const whole = job === null ? null : (JSON.parse(job) as Job).call.arguments;
  const sensitive = whole === null || !mayAnswer ? [] : maskedPaths(whole, configured);
  const detail = sensitive.length === 0 ? {} : { detail: "whole, with sensitive values" };
  await recordAuditEvent({ actor, action: "approvals.arguments", target: callId, requestId, ...detail });
  const kept = whole === null ? ((await getExecution(callId, { bodies: true }))?.arguments ?? null) : null;
  const shown = whole === null ? kept : mayAnswer ? whole : redact(whole, configured);
  return { arguments: shown as ApprovalDetail["arguments"], argumentsHidden: false, sensitive };
}

/** The person who reads an approval. */
interface Reader {
  readonly actor: Actor;
  readonly requestId: string;
  /** Whether the person may answer it now. */
  readonly mayAnswer: boolean;
}

/**
 * Approves or refuses a call that waits, once.
 *
 * @throws AppError `not_found`; `forbidden` for one's own call (docs/reference/http.md#authentication); `conflict` with what happened
 * for one that waits no more
 */
export async function answerApproval(
  id: string,
  verdict: "approve" | "refuse",
  decision: Decision,
): Promise<ApprovalDetail> {
  const approval = await requireApproval(id);
  if (decision.actor.kind === "token")
    throw new AppError("forbidden", "A person must answer a call: sign in. No token can.");
  await requireAnothers(decision.actor, approval);
  const now = new Date();
  await expireApprovals(now);
  if (verdict === "approve") await requireUnchanged(approval);
  const before =
    verdict === "approve" ? await refusedNow(approval.toolId, await waitingJob(id), await currentSnapshot()) : null;
  const done =
    verdict === "approve"
      ? await approveCall(id, decision, now)
      : await refuseCall(id, decision, now, refused(decision.reason));
  if (!done) {
    const current = toApprovalRow(await requireApproval(id));
    throw new AppError("conflict", `The call no longer waits for an answer: ${happened(current)}.`, {
      extra: { current },
    });
  }
  return { ...(await readApproval(id, decision.actor, decision.requestId)), refusedNow: before };
}

/** Refuses the approval of a call whose tool has changed: that call could not run. The person may still refuse it. */
async function requireUnchanged({ status, toolId, definitionHash }: StoredApproval): Promise<void> {
  if (status !== "waiting" || hashNow(toolId, await currentSnapshot()) === definitionHash) return;
  throw new AppError(
    "conflict",
    "The tool changed after the call, so the call was not approved. Refuse it. The caller can make the call again.",
  );
}

async function requireApproval(id: string): Promise<StoredApproval> {
  const approval = await findApproval(id);
  if (approval === null) throw new AppError("not_found", "There is no such approval.");
  return approval;
}

/** No person decides their own call; an editor does not decide a call of their own agent either (docs/reference/http.md#authentication; decision 0015). */
function isAnothers(actor: Actor, own: ApprovalDetail["own"]): boolean {
  if (actor.kind === "token") return false;
  return own === null || (own === "agent" && actor.role === "admin");
}

async function requireAnothers(actor: Actor, approval: StoredApproval): Promise<void> {
  const own = await ownCall(actor, approval);
  if (isAnothers(actor, own)) return;
  throw new AppError(
    "forbidden",
    own === "caller"
      ? "You, or a client that you connected, made this call. Another administrator or editor must answer it."
      : "You created this agent or one of its keys. An administrator or another editor must answer its calls.",
  );
}

function refused(words: string): EndedCall {
  const message = words === "" ? "A person refused the call." : `A person refused the call: ${words}`;
  const code = "approval_denied";
  return { code, output: { status: "denied", attempts: 0, error: { code, message, retryable: false } } };
}

function happened({ status, decidedBy }: Pick<ApprovalDetail, "status" | "decidedBy">): string {
  if (status === "expired") return "it expired";
  if (status === "cancelled") return "its caller cancelled it";
  return `${decidedBy ?? "somebody"} ${status} it`;
}
