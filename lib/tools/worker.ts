import { standingOf } from "@/lib/auth/agents/authenticate";
import { AppError, type ErrorCode } from "@/lib/errors";
import { workCallQueue } from "@/lib/store/call-queue";
import { checkBasis, endIntent, writeOutcome } from "@/lib/store/executions-log";
import { liveInstance } from "@/lib/store/executions-reaper";
import { endKept, giveBack, takeOn, tellEvent } from "@/lib/store/kept-calls";
import { currentSnapshot } from "@/lib/store/snapshot";
import { log } from "@/lib/telemetry/log";
import { answerer, type Answer } from "@/lib/tools/answer";
import type { Call, CallListener } from "@/lib/tools/call";
import { production, type Dependencies } from "@/lib/tools/dependencies";
import { execute } from "@/lib/tools/execute";
import type { Job } from "@/lib/tools/queued";
import { toKeptText } from "@/lib/tools/recorded";
import { untilWritten } from "@/lib/tools/until-written";

/** Nothing ran, and nothing was decided against the call: a little later it may run. */
const LATER: ReadonlySet<ErrorCode | null> = new Set(["config_unavailable", "log_unavailable"]);

/** Lets this process run queued calls, whichever process accepted them, from now on. */
export function workQueuedCalls(deps: () => Dependencies = production): Promise<void> {
  return workCallQueue(async (callId) => {
    const text = await untilWritten(callId, () => take(callId));
    if (text === null) return;
    runTaken(callId, text, deps()).catch((error: unknown) => {
      log.error({ callId, err: error }, "A queued call was lost.");
    });
  });
}

async function take(callId: string): Promise<string | null> {
  return takeOn(callId, await liveInstance());
}

/**
 * Runs a queued call through the whole pipeline: access is checked again under the rules of now, and what was granted
 * when it was accepted counts for nothing (4-execution, Long-running). Its intent is in the log since then.
 */
export async function runQueued(callId: string, deps: Dependencies): Promise<void> {
  const text = await take(callId);
  if (text !== null) await runTaken(callId, text, deps);
}

async function runTaken(callId: string, text: string, deps: Dependencies): Promise<void> {
  const { call, caller } = JSON.parse(text) as Job;
  const told = listenerOf(callId);
  const made = await answerOf(
    {
      ...call,
      caller,
      reauthenticate: async () => standingOf(caller, await currentSnapshot(), deps.now()),
      mode: "resumed",
      listener: told.listener,
    },
    resuming(deps),
  );
  if (LATER.has(made.code) && (await untilWritten(callId, () => giveBack(callId)))) return;
  const answer = LATER.has(made.code) ? givenUp(made) : made;
  await told.all();
  await untilWritten(callId, async () => {
    await endIntent(callId, new Date(deps.now()), answer);
    await endKept(callId, toKeptText(answer));
  });
}

/** What could not be run yet was cancelled meanwhile: it never will be. */
function givenUp({ output }: Answer): Answer {
  const error = { code: "cancelled", message: "The call was cancelled before it ran.", retryable: false };
  return { code: "cancelled", output: { ...output, status: "cancelled", error } };
}

/** A credential that is no longer good is an answer here: there is no door that could challenge it. */
async function answerOf(call: Call, deps: Dependencies): Promise<Answer> {
  try {
    return await execute({ ...call, caller: await call.reauthenticate() }, deps);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return answerer(call, () => 0).error(error.code, error.message);
  }
}

/** The intent is written already: what is left of that step is whether the decision still holds. */
function resuming(deps: Dependencies): Dependencies {
  return {
    ...deps,
    nested: deps,
    writeIntent: (_intent, basis) => checkBasis(basis),
    writeRefusal: async (_intent, outcome, basis, move) => {
      const current = await checkBasis(basis);
      if (current.written) await writeOutcome(outcome, move);
      return current;
    },
  };
}

/**
 * Whoever follows the call hears of it, on whichever instance, in the order in which it happened; what cannot be told is
 * not missed: the answer has it all. `all` resolves when nothing is left to tell.
 */
function listenerOf(callId: string): { readonly listener: CallListener; readonly all: () => Promise<void> } {
  let told: Promise<void> = Promise.resolve();
  const tell = (event: "progress" | "chunk", data: Parameters<CallListener["chunk"]>[0]) => {
    told = told.then(() => tellEvent(callId, event, data)).catch(() => {});
  };
  return {
    listener: {
      progress: (fraction, message) => tell("progress", { fraction, message }),
      chunk: (data) => tell("chunk", data),
    },
    all: () => told,
  };
}
