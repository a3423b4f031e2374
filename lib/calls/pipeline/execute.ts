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
import { runOnce, type ByKey } from "@/lib/calls/pipeline/idempotency";
import { accept } from "@/lib/calls/queue/accept";
import { callLimiter, tooManyRunning, type CallLimiter } from "@/lib/calls/limits/limits";
import { logged } from "@/lib/calls/record/logged";
import { labelPreconditions, raisesOfCall, raisesOfAnswer } from "@/lib/calls/pipeline/labels";
import { nestedCalls } from "@/lib/calls/pipeline/nested";
import { observed, UNDECIDED } from "@/lib/calls/record/observe-call";
import { acquireSlot } from "@/lib/calls/limits/slots";
import { toIntent, type Decided } from "@/lib/calls/record/record";
import { refuse } from "@/lib/calls/pipeline/refuse";
import { runTool } from "@/lib/calls/pipeline/run";
import { registerRunning } from "@/lib/calls/queue/running";
import { sessionTurn, type SessionTurn } from "@/lib/calls/pipeline/session-turn";
import { preconditionsOf, isOutdated, buildCallContext, type CallContext } from "@/lib/calls/pipeline/call-context";

/** How often a call is decided again because the rules changed, before it is refused. */
const MAX_ROUNDS = 5;
/**
 * How often a call is decided again because another call moved the session or raised a label: as many calls may
 * reasonably run at the same time.
 */
const MAX_TURNS = 100;

/** Runs `execute` where no endpoint can challenge the caller: an invalid credential becomes an answer. */
export async function executeAnswered(call: Call, deps: Dependencies): Promise<Answer> {
  try {
    return await execute(call, deps);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return answerer(call, () => deps.now() - call.at).error(error.code, error.message);
  }
}

/**
 * The pipeline: every call of every endpoint goes through here (docs/reference/execution.md#pipeline). It decides under the
 * current rules, writes the intent only while they are current, runs, and writes the outcome. Whatever it
 * refuses is logged with the true reason; when the log cannot be written, no tool runs.
 *
 * @throws AppError `unauthenticated` when the credential is no longer good
 */
export async function execute(received: Call, deps: Dependencies = production()): Promise<Answer> {
  const call = withShortNames(received);
  // Held to its end: it can be cancelled before it runs, and a process that ends waits until its outcome is written.
  const ended = registerRunning(call.callId);
  const isCounted = call.script === undefined && call.mode !== "resumed";
  const place = isCounted ? acquireSlot("calls", call.caller.principal, env.CALLS_PER_CALLER) : null;
  const refused = isCounted && place === null ? tooManyRunning(env.CALLS_PER_CALLER) : call.refused;
  try {
    return await observed(call, (traced) => unbroken(refused === undefined ? traced : { ...traced, refused }, deps));
  } finally {
    place?.();
    ended();
  }
}

/** No tool has a longer name. Only this many characters are searched, answered and logged. */
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

async function unbroken(call: Call, deps: Dependencies): Promise<Answer> {
  const started = deps.elapsed();
  const answer = answerer(call, () => deps.elapsed() - started);
  try {
    return await runOnce(call, deps, (byKey) => limited(call, deps, answer, byKey));
  } catch (error) {
    if (error instanceof AppError && error.code === "unauthenticated") throw error;
    if (error instanceof AppError) {
      const failed = answer.error(error.code, error.message);
      // A resumed call that nothing refused returns to the queue: that is not its end.
      return call.mode === "resumed" ? failed : { ...failed, end: UNDECIDED };
    }
    log.error({ callId: call.callId, requestId: call.requestId, err: error }, "A call broke.");
    return { ...answer.error("internal", "The server failed."), end: UNDECIDED };
  }
}

async function limited(call: Call, deps: Dependencies, answer: Answerer, byKey: ByKey | null): Promise<Answer> {
  const limiter = callLimiter(call, deps.limits);
  const turn = sessionTurn(call, deps);
  const stored = byKey !== null && "stored" in byKey ? byKey.stored : null;
  const refusedBefore = byKey !== null && "refusal" in byKey ? byKey.refusal : (call.refused ?? null);
  try {
    const by = stored === null ? deps : inStateOf(stored, deps);
    return await untilCurrent(call, by, { answer, limiter, turn, refusedBefore, stored });
  } finally {
    turn.end();
    await limiter.release();
  }
}

/** Decides a call in the state before its stored answer: that call may have moved the session. */
function inStateOf({ output: { state } }: Answer, deps: Dependencies): Dependencies {
  return {
    ...deps,
    findSession: async (...args) => {
      const session = await deps.findSession(...args);
      return session && { ...session, state: state.before ?? session.state };
    },
  };
}

/** The values that all rounds of one call share. */
interface Round {
  readonly answer: Answerer;
  readonly limiter: CallLimiter;
  readonly turn: SessionTurn;
  /** A refusal that the rules cannot lift. It is logged like other refusals. */
  readonly refusedBefore: Refusal | null;
  /** The stored answer for the call's key. It is returned, without a new run, when the current rules allow the call. */
  readonly stored: Answer | null;
}

async function untilCurrent(call: Call, deps: Dependencies, through: Round): Promise<Answer> {
  let { caller } = call;
  let { refusedBefore } = through;
  let minRevision: number | undefined;
  let [rounds, turns] = [0, 0];
  while (rounds < MAX_ROUNDS && turns < MAX_TURNS) {
    const snapshot = await deps.snapshot(minRevision);
    if (isOutdated(caller, snapshot, deps.now())) {
      caller = await call.reauthenticate();
      rounds += 1;
      continue;
    }
    const done = await oneRound(call, caller, snapshot, deps, { ...through, refusedBefore });
    if ("output" in done) return done;
    const isBusy =
      !done.sessionFree &&
      done.revision === snapshot.revision &&
      done.keyGood &&
      done.sessionCurrent &&
      done.labelsCurrent;
    if (isBusy) {
      // A call that waits for its session takes no place from the calls that run.
      await through.limiter.release();
      refusedBefore = await through.turn.wait();
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
async function oneRound(
  call: Call,
  caller: Caller,
  snapshot: Snapshot,
  deps: Dependencies,
  { answer, limiter, turn, refusedBefore, stored }: Round,
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
  { answer, limiter, turn, stored }: Omit<Round, "refusedBefore">,
): Promise<Answer | Written> {
  const { call, caller, snapshot, session, context } = common;
  if ("code" in decision) return refuse({ ...common, ...trailOf(decision) }, decision, deps, answer);
  const read = { toolId: decision.tool.id, sessionId: session?.id ?? null, at: new Date(deps.now()) };
  if (stored !== null) {
    const { call_id: callId } = stored.output;
    await logged(call, async () =>
      deps.raiseLabels(context.labels, await raisesOfAnswer({ ...read, callId }, snapshot)),
    );
    call.onAuthorized?.();
    return stored;
  }
  const labels = labelPreconditions(context.labels, raisesOfCall({ ...read, callId: call.callId }, snapshot));
  // The checked arguments are the ones that are approved, logged and run.
  const made: Call = { ...call, arguments: decision.arguments };
  const trail = { call: made, toolId: decision.tool.id, policies: decision.policies, groups: decision.visible.groups };
  const asks = needsApproval(decision, context);
  const resumed = call.mode === "resumed";
  // A script and a trial wait for a tool of any duration, but not for a person's approval.
  const waits = call.script !== undefined || call.door === "try";
  const later = call.mode === "later" || (!resumed && !waits && (asks || decision.tool.longRunning));
  // An async call counts in the window when it is accepted, and takes its lease when it runs.
  const counted = later ? "window" : resumed ? "lease" : "all";
  const full = await limiter.take(decision, context, counted);
  const unapproved =
    asks && !later && (full === null || resumed) ? await unlessApproved(made, decision, context, deps) : null;
  // A refusal would break the promise of acceptance: the call returns to the queue and is decided again.
  if (resumed && full !== null && unapproved === null) throw new AppError("overloaded", full.message);
  const refusal = unapproved ?? full;
  if (refusal !== null) return refuse({ ...common, ...trail }, refusal, deps, answer);
  const intent = await toIntent({ ...common, ...trail });
  if (later) return accept(call, decision, { ...common, ...trail }, deps, { answer, asks, intent });
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
  return runAndRecord(made, decision, context, { deps, answer, turn, raised: labels?.raises ?? [] });
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
  }: { readonly deps: Dependencies; readonly raised: readonly RaisedLabel[] } & Pick<Round, "answer" | "turn">,
): Promise<Answer> {
  const calls = nestedCalls(call, turn.forScript(), (nested) => execute(nested, deps.nested ?? deps), newCallId);
  const result = await runTool(call, authorized, context, { ...deps, nestedCalls: calls });
  return finish({ call, authorized, context, result, raised }, deps, answer);
}
