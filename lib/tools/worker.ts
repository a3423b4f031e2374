import { setTimeout as delay } from "node:timers/promises";
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

/** Milliseconds until a process tries again to write down how a call ended. */
const AGAIN_MS = 1_000;
/** Nothing ran, and nothing was decided against the call: a little later it may run. */
const LATER: ReadonlySet<ErrorCode | null> = new Set(["config_unavailable", "log_unavailable"]);

/** Lets this process run queued calls, whichever process accepted them, from now on. */
export function workQueuedCalls(deps: () => Dependencies = production): Promise<void> {
  return workCallQueue((callId) => {
    runQueued(callId, deps()).catch((error: unknown) => log.error({ callId, err: error }, "A queued call was lost."));
  });
}

/**
 * Runs a queued call through the whole pipeline: access is checked again under the rules of now, and what was granted
 * when it was accepted counts for nothing (4-execution, Long-running). Its intent is in the log since then.
 */
export async function runQueued(callId: string, deps: Dependencies): Promise<void> {
  const text = await takeOn(callId, await liveInstance());
  if (text === null) return;
  const { call, caller } = JSON.parse(text) as Job;
  const answer = await answerOf(
    {
      ...call,
      caller,
      reauthenticate: async () => standingOf(caller, await currentSnapshot(), deps.now()),
      mode: "resumed",
      listener: listenerOf(callId),
    },
    resuming(deps),
  );
  if (LATER.has(answer.code)) return untilWritten(callId, () => giveBack(callId));
  await untilWritten(callId, async () => {
    await endIntent(callId, new Date(deps.now()), answer);
    await endKept(callId, toKeptText(answer));
  });
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

/** Whoever follows the call hears of it, on whichever instance; what cannot be told is not missed: the answer has it all. */
function listenerOf(callId: string): CallListener {
  const tell = (event: "progress" | "chunk", data: Parameters<CallListener["chunk"]>[0]) => {
    tellEvent(callId, event, data).catch(() => {});
  };
  return {
    progress: (fraction, message) => tell("progress", { fraction, message }),
    chunk: (data) => tell("chunk", data),
  };
}

/** A store that is lost for a while is waited for: the call has ended, and its caller must hear of it. */
async function untilWritten(callId: string, write: () => Promise<void>): Promise<void> {
  for (;;)
    try {
      return await write();
    } catch (error) {
      log.warn({ callId, err: error }, "How a queued call ended could not be written yet.");
      await delay(AGAIN_MS, undefined, { ref: false });
    }
}
