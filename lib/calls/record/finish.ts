import { nextState } from "@/lib/access/compile/machines";
import { isEmptyResult } from "@/lib/access/decide/routing";
import { toStoredBody } from "@/lib/audit/record/body";
import { storedSentence } from "@/lib/audit/record/redact";
import { findWritten, type SessionMove } from "@/lib/store/log/executions-log";
import type { LoggedRaise, Outcome, RaisedLabel } from "@/lib/store/log/executions-rows";
import { noteUnfinished } from "@/lib/store/log/executions-reaper";
import type { Snapshot } from "@/lib/store/snapshot/snapshot";
import { log } from "@/lib/telemetry/log";
import { endedStatus, toThousandths, type Answer, type Answerer } from "@/lib/calls/pipeline/answer";
import type { Call } from "@/lib/calls/pipeline/call";
import type { RunResult } from "@/lib/calls/pipeline/contract";
import type { AuthorizedCall } from "@/lib/calls/pipeline/decide";
import type { Dependencies } from "@/lib/calls/pipeline/dependencies";
import { deliveryOf } from "@/lib/calls/queue/queued";
import { OUTPUT_WARNING, toLoggedWarning } from "@/lib/calls/record/recorded";
import { sessionMove, storedState, toStoredError } from "@/lib/calls/record/record";
import type { CallContext } from "@/lib/calls/pipeline/call-context";

/** A call that has run. */
interface Ran {
  readonly call: Call;
  readonly authorized: AuthorizedCall;
  readonly context: CallContext;
  readonly result: RunResult;
  readonly raised: readonly RaisedLabel[];
}

/**
 * Steps 12 and 13 (docs/reference/execution.md#pipeline): stores the outcome with the session's transition in one
 * transaction, then answers.
 */
export async function finish(
  { call, authorized, context, result, raised }: Ran,
  deps: Pick<Dependencies, "now" | "writeOutcome">,
  answerer: Answerer,
): Promise<Answer> {
  const { snapshot, request, resolution, labels } = context;
  const { issuer, subject } = labels;
  const toolId = authorized.tool.id;
  const at = deps.now();
  const before = resolution.state;
  const after = result.success ? nextState(snapshot.index, request.machine, before, toolId) : before;
  const facts = {
    state: { before, after },
    revision: snapshot.revision,
    attempts: result.attempts,
    toolId,
    name: authorized.visible.exposedName,
    ...(call.mode === "resumed" && { delivery: deliveryOf(authorized) }),
  };
  const answer = result.success
    ? answerer.success(result.output ?? null, {
        ...facts,
        ...(result.content !== undefined && { content: result.content }),
        ...(result.warning !== undefined && { warning: result.warning }),
      })
    : answerer.failure(result.error ?? { code: "internal", message: "The tool failed." }, facts);
  const empty = !result.success || isEmptyResult(result.output ?? null);
  const move = sessionMove(call, context, { toolId, success: result.success, empty, at });
  const outcome = {
    ...(await outcomeOf(call, result, answer, snapshot, at, empty)),
    ...(raised.length > 0 && {
      raised: raised.map(toLoggedRaise),
      raisesAgain: { issuer, subject, raises: raised.map((raise) => raisedAt(raise, at)) },
    }),
  };
  const stateAfter = await recordOutcome(call, outcome, move, deps);
  const end = { tool: authorized.tool, reason: null, upstreamMs: result.upstreamMs, isUnsent: result.unsent === true };
  if (stateAfter === undefined) return { ...answerer.error("interrupted", UNRECORDED, facts), end };
  return { ...answer, output: { ...answer.output, state: { before, after: stateAfter } }, end };
}

function toLoggedRaise({ label, session, until }: RaisedLabel): LoggedRaise {
  return { label, scope: session === "" ? "caller" : "run", until: until?.toISOString() ?? null };
}

/** The label as the result raises it again: held for the same time, counted from the result. */
function raisedAt(raise: RaisedLabel, at: number): RaisedLabel {
  const until = raise.until === null ? null : new Date(at + raise.until.getTime() - raise.at.getTime());
  return { ...raise, at: new Date(at), until };
}

const UNRECORDED = "The call ran, but its outcome could not be recorded; its effect may have happened.";

async function outcomeOf(
  call: Call,
  result: RunResult,
  answer: Answer,
  snapshot: Snapshot,
  at: number,
  empty: boolean,
): Promise<Outcome> {
  const { redact } = snapshot.settings;
  const { error, output_warning: warning } = answer.output;
  return {
    callId: call.callId,
    callAt: new Date(call.at),
    at: new Date(at),
    status: endedStatus(answer),
    code: warning === undefined ? answer.code : OUTPUT_WARNING,
    reason: result.success ? "granted" : storedSentence(error?.message ?? "", redact),
    error: toStoredError(error ?? (warning && toLoggedWarning(warning)), redact),
    stateAfter: storedState(answer.output.state.after),
    attempts: result.attempts,
    gatewayMs: toThousandths(Math.max(0, answer.output.duration_ms - result.upstreamMs)),
    upstreamMs: toThousandths(result.upstreamMs),
    empty,
    result: result.success ? await toStoredBody(result.output ?? null, redact) : null,
  };
}

/**
 * Returns the state after the call; `undefined` = no outcome is known to be stored. Reads the log after two failures,
 * because the second also fails when the first was stored and only its answer was lost.
 */
async function recordOutcome(
  { callId, requestId }: Call,
  outcome: Outcome,
  move: SessionMove | null,
  deps: Pick<Dependencies, "writeOutcome">,
): Promise<string | null | undefined> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await deps.writeOutcome(outcome, move);
    } catch (error) {
      log.error({ callId, requestId, err: error, attempt }, "An outcome could not be recorded.");
      if (attempt < 2) continue;
      const written = await findWritten(outcome).catch(() => undefined);
      if (written === undefined) noteUnfinished(callId);
      return written;
    }
}
