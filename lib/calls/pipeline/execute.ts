import { cut } from "@/lib/audit/record/redact";
import type { Caller } from "@/lib/auth/agents/caller";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { newCallId } from "@/lib/store/log/call-id";
import type { Written } from "@/lib/store/log/executions-log";
import type { RaisedLabel } from "@/lib/store/log/executions-rows";
import type { Snapshot } from "@/lib/store/snapshot/snapshot";
import { log } from "@/lib/telemetry/log";
import { answerer, type Answer, type Answerer } from "@/lib/calls/pipeline/answer";
import { needsApproval } from "@/lib/calls/approvals/approvals";
import { unlessApproved } from "@/lib/calls/approvals/unless-approved";
import type { Call, Refusal } from "@/lib/calls/pipeline/call";
import { decide, type AuthorizedCall } from "@/lib/calls/pipeline/decide";
import { production, type Dependencies } from "@/lib/calls/pipeline/dependencies";
import { finish } from "@/lib/calls/record/finish";
import { runOnce, type KeyOutcome } from "@/lib/calls/pipeline/idempotency";
import { accept } from "@/lib/calls/queue/accept";
import { callLimiter, tooManyRunning, type CallLimiter } from "@/lib/calls/limits/limits";
import { logged } from "@/lib/calls/record/logged";
import { labelPreconditions, raisesOfCall, raisesOfAnswer } from "@/lib/calls/pipeline/labels";
import { asAccepted, nestedCalls } from "@/lib/calls/pipeline/nested";
import { withTelemetry, UNDECIDED } from "@/lib/calls/record/call-telemetry";
import { acquireSlot } from "@/lib/calls/limits/slots";
import { toIntent, type Decided } from "@/lib/calls/record/record";
import { refuse } from "@/lib/calls/pipeline/refuse";
import { runTool } from "@/lib/calls/pipeline/run";
import { registerRunning } from "@/lib/calls/queue/running";
import { sessionTurn, type SessionTurn } from "@/lib/calls/pipeline/session-turn";
import { preconditionsOf, isOutdated, buildCallContext, type CallContext } from "@/lib/calls/pipeline/call-context";

/**
 * The pipeline: every call of every endpoint goes through here (docs/reference/execution.md#pipeline). It decides under the
 * current rules, writes the intent only while they are current, runs the tool, and writes the outcome. It logs every
 * refusal with its true reason. When the log cannot be written, no tool runs.
 *
 * @throws AppError `unauthenticated` when the credential is no longer good
 */
export async function execute(received: Call, deps: Dependencies = production()): Promise<Answer> {
  const call = withShortNames(received);
  // Registered until its end: it can be cancelled before it runs, and a stopping process waits for its outcome.
  const unregister = registerRunning(call.callId);
  const isCounted = call.script === undefined && call.mode !== "resumed";
  const releasePlace = isCounted ? acquireSlot("calls", call.caller.principal, env.CALLS_PER_CALLER) : null;
  const refused = isCounted && releasePlace === null ? tooManyRunning(env.CALLS_PER_CALLER) : call.refused;
  try {
    return await withTelemetry(call, (traced) =>
      executeOnce(refused === undefined ? traced : { ...traced, refused }, deps),
    );
  } finally {
    releasePlace?.();
    unregister();
  }
}

/** Runs `execute` where no endpoint can challenge the caller: an invalid credential becomes an answer. */
export async function executeAnswered(call: Call, deps: Dependencies): Promise<Answer> {
  try {
    return await execute(call, deps);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return answerer(call, () => deps.now() - call.at).error(error.code, error.message);
  }
}

/** No tool has a longer name. A longer requested name is cut before it is searched, answered and logged. */
const MAX_NAME = 200;

function withShortNames(call: Call): Call {
  const { toolId, name } = call;
  if ((toolId ?? "").length <= MAX_NAME && (name ?? "").length <= MAX_NAME) return call;
  return {
    ...call,
    toolId: toolId === null ? null : cut(toolId, MAX_NAME),
    name: name === null ? null : cut(name, MAX_NAME),
  };
}

/** Makes the call once for its idempotency key. Answers every error except an invalid credential. */
async function executeOnce(call: Call, deps: Dependencies): Promise<Answer> {
  const started = deps.elapsed();
  const answer = answerer(call, () => deps.elapsed() - started);
  try {
    return await runOnce(call, deps, (keyOutcome) => decideAndRun(call, deps, answer, keyOutcome));
  } catch (error) {
    if (error instanceof AppError && error.code === "unauthenticated") throw error;
    if (error instanceof AppError) {
      const failed = answer.error(error.code, error.message);
      // A resumed call that nothing refused returns to the queue: that is not its end.
      return call.mode === "resumed" ? failed : { ...failed, end: UNDECIDED };
    }
    log.error({ callId: call.callId, requestId: call.requestId, err: error }, "A call failed unexpectedly.");
    return { ...answer.error("internal", "The server failed."), end: UNDECIDED };
  }
}

/** Decides and runs the call. Afterwards releases its limits and its turn at the session. */
async function decideAndRun(
  call: Call,
  deps: Dependencies,
  answer: Answerer,
  keyOutcome: KeyOutcome | null,
): Promise<Answer> {
  const limiter = callLimiter(call, deps.limits);
  const turn = sessionTurn(call, deps);
  const stored = keyOutcome !== null && "stored" in keyOutcome ? keyOutcome.stored : null;
  const refusedBefore = keyOutcome !== null && "refusal" in keyOutcome ? keyOutcome.refusal : (call.refused ?? null);
  try {
    const depsOfState = stored === null ? deps : inStateBefore(stored, deps);
    return await decideUntilCurrent(call, depsOfState, { answer, limiter, turn, refusedBefore, stored });
  } finally {
    turn.end();
    await limiter.release();
  }
}

/** Shows the session in the state before the stored answer's call, because that call may have moved it. */
function inStateBefore({ output: { state } }: Answer, deps: Dependencies): Dependencies {
  return {
    ...deps,
    findSession: async (...args) => {
      const session = await deps.findSession(...args);
      return session && { ...session, state: state.before ?? session.state };
    },
  };
}

/** What the rounds of one call share. */
interface RoundInputs {
  readonly answer: Answerer;
  readonly limiter: CallLimiter;
  readonly turn: SessionTurn;
  /** A refusal that the rules cannot lift. It is logged like other refusals. */
  readonly refusedBefore: Refusal | null;
  /** The stored answer for the call's key. It is returned, without a new run, when the current rules allow the call. */
  readonly stored: Answer | null;
}

/** How often a call is decided again because the rules changed, before it is refused. */
const MAX_ROUNDS = 5;
/** How often a call is decided again because another call moved the session or raised a label. Then it is refused. */
const MAX_TURNS = 100;

/** Decides the call in rounds, until its row is written under the revision, key, session and labels that decided it. */
async function decideUntilCurrent(call: Call, deps: Dependencies, inputs: RoundInputs): Promise<Answer> {
  let { caller } = call;
  let { refusedBefore } = inputs;
  let minRevision: number | undefined;
  let [rounds, turns] = [0, 0];
  while (rounds < MAX_ROUNDS && turns < MAX_TURNS) {
    const snapshot = await deps.snapshot(minRevision);
    if (isOutdated(caller, snapshot)) {
      caller = await call.reauthenticate();
      rounds += 1;
      continue;
    }
    const done = await tryRound(call, caller, snapshot, deps, { ...inputs, refusedBefore });
    if ("output" in done) return done;
    const isOnlySessionBusy =
      !done.sessionFree &&
      done.revision === snapshot.revision &&
      done.keyGood &&
      done.sessionCurrent &&
      done.labelsCurrent;
    if (isOnlySessionBusy) {
      // While a call waits for its session, it does not count against the limits.
      await inputs.limiter.release();
      refusedBefore = await inputs.turn.wait();
    } else if (done.sessionCurrent && done.labelsCurrent) rounds += 1;
    else turns += 1;
    if (done.revision !== snapshot.revision) {
      deps.noteRevision(done.revision);
      minRevision = done.revision;
    }
    // Refuses a key that is no longer valid, with the challenge of its endpoint.
    const fresh = await call.reauthenticate();
    if (!done.keyGood && fresh.principal.agent === caller.principal.agent)
      throw new AppError("unauthenticated", "The API key is no longer valid.");
    caller = fresh;
  }
  throw new AppError(
    "config_unavailable",
    "The configuration or the session changed repeatedly while this call was decided: try again.",
  );
}

/** One round under one revision: the answer, or what changed before its row could be written. */
async function tryRound(
  call: Call,
  caller: Caller,
  snapshot: Snapshot,
  deps: Dependencies,
  { answer, limiter, turn, refusedBefore, stored }: RoundInputs,
): Promise<Answer | Written> {
  const built = await buildCallContext(call, caller, snapshot, deps);
  const session = built.ok ? built.context.session : built.session;
  const common = { call, caller, snapshot, session, instance: await logged(call, () => deps.liveInstance()) };
  if (!built.ok) return refuse({ ...common, context: null, ...trailOf(built.refusal) }, built.refusal, deps, answer);
  const { context } = built;
  if (refusedBefore !== null)
    return refuse({ ...common, context, ...trailOf(refusedBefore) }, refusedBefore, deps, answer);
  const decision = await decide(call, context);
  const done = await carryOut({ ...common, context }, decision, deps, { answer, limiter, turn, stored });
  if ("output" in done && stored === null) deps.observe(call, context, decision);
  return done;
}

/** The rest of a round: refuses, queues or runs a decided call. */
async function carryOut(
  common: Omit<Decided, "toolId" | "policies" | "groups"> & { readonly context: CallContext },
  decision: AuthorizedCall | Refusal,
  deps: Dependencies,
  { answer, limiter, turn, stored }: Omit<RoundInputs, "refusedBefore">,
): Promise<Answer | Written> {
  const { call, caller, snapshot, session, context } = common;
  if ("code" in decision) return refuse({ ...common, ...trailOf(decision) }, decision, deps, answer);
  if (stored !== null) return answerStored(stored, call, decision.tool.id, context, deps);
  const raising = { callId: call.callId, toolId: decision.tool.id, sessionId: session?.id ?? null };
  const raises = raisesOfCall({ ...raising, at: new Date(deps.now()) }, snapshot);
  const labels = labelPreconditions(context.labels, raises);
  // A person approves, the log keeps and the runner receives exactly the checked arguments.
  const checked: Call = { ...call, arguments: decision.arguments };
  const trail = {
    call: checked,
    toolId: decision.tool.id,
    policies: decision.policies,
    groups: decision.visible.groups,
  };
  const needsPerson = needsApproval(decision, context);
  const resumed = call.mode === "resumed";
  // A script and a trial wait for a tool of any duration, but not for a person's approval.
  const isInline = call.script !== undefined || call.door === "try";
  const later = call.mode === "later" || (!resumed && !isInline && (needsPerson || decision.tool.longRunning));
  // An async call counts in the window when it is accepted, and takes its lease when it runs.
  const counted = later ? "window" : resumed ? "lease" : "all";
  const overLimit = await limiter.take(decision, context, counted);
  const unapproved =
    needsPerson && !later && (overLimit === null || resumed)
      ? await unlessApproved(checked, decision, context, deps)
      : null;
  // An accepted call is not refused for its limits: it returns to the queue and is decided again.
  if (resumed && overLimit !== null && unapproved === null) throw new AppError("overloaded", overLimit.message);
  const refusal = unapproved ?? overLimit;
  if (refusal !== null) return refuse({ ...common, ...trail }, refusal, deps, answer);
  const intent = await toIntent({ ...common, ...trail });
  if (later) return accept(call, decision, { ...common, ...trail }, deps, { answer, asks: needsPerson, intent });
  if (!turn.isReady(decision, context))
    return {
      written: false,
      revision: snapshot.revision,
      keyGood: true,
      sessionCurrent: true,
      labelsCurrent: true,
      sessionFree: false,
    };
  const hold = turn.hold(decision, common.instance);
  const preconditions = preconditionsOf(caller, snapshot, session, { labels, hold });
  const written = await logged(call, () => deps.writeIntent(intent, preconditions));
  if (!written.written) return written;
  call.onAuthorized?.();
  return runAndRecord(checked, decision, context, { deps, answer, turn, raised: labels?.raises ?? [] });
}

/** Returns the stored answer of an earlier call. Reading it raises its labels, like a new call. */
async function answerStored(
  stored: Answer,
  call: Call,
  toolId: string,
  { snapshot, session, labels }: CallContext,
  deps: Dependencies,
): Promise<Answer> {
  const read = { callId: stored.output.call_id, toolId, sessionId: session?.id ?? null, at: new Date(deps.now()) };
  await logged(call, async () => deps.raiseLabels(labels, await raisesOfAnswer(read, snapshot)));
  call.onAuthorized?.();
  return stored;
}

function trailOf({ toolId, policies, groups }: Refusal): Pick<Decided, "toolId" | "policies" | "groups"> {
  return { toolId: toolId ?? null, policies: policies ?? [], groups: groups ?? [] };
}

/** Steps 10–13. The intent is committed: from here on there is always an outcome. */
async function runAndRecord(
  call: Call,
  authorized: AuthorizedCall,
  context: CallContext,
  {
    deps,
    answer,
    turn,
    raised,
  }: { readonly deps: Dependencies; readonly raised: readonly RaisedLabel[] } & Pick<RoundInputs, "answer" | "turn">,
): Promise<Answer> {
  const make = (nested: Call) => execute(nested, deps.nested ?? deps);
  const calls = nestedCalls(asAccepted(call, context.caller, deps), turn.forScript(), make, newCallId);
  const result = await runTool(call, authorized, context, { ...deps, nestedCalls: calls });
  return finish({ call, authorized, context, result, raised }, deps, answer);
}
