import { setTimeout as delay } from "node:timers/promises";
import { isMoving } from "@/lib/access/compile/machines";
import { AppError } from "@/lib/errors";
import type { SessionHold } from "@/lib/store/log/executions-rows";
import type { Call, Refusal, ScriptHold, TurnQueue } from "@/lib/calls/pipeline/call";
import type { AuthorizedCall } from "@/lib/calls/pipeline/decide";
import type { Dependencies } from "@/lib/calls/pipeline/dependencies";
import { LEASE_GRACE_SECONDS } from "@/lib/calls/limits/limits";
import { deadlineSeconds } from "@/lib/calls/pipeline/run";
import { registerRunning } from "@/lib/calls/queue/running";
import type { CallContext } from "@/lib/calls/pipeline/call-context";

/** Milliseconds that a call waits for another call that moves its session. */
const WAIT_MS = 30_000;
/** Milliseconds between two checks of a held session: the first pause, and the longest. */
const MIN_POLL_MS = 10;
const MAX_POLL_MS = 250;

/**
 * One call's turn at its session. A call that moves the state of a named machine holds the session from its intent to its
 * outcome; other calls that move it wait and are decided again. Calls that do not move it take no hold.
 */
export interface SessionTurn {
  /**
   * False: the call has to `wait` before its intent is written. Also records whether the call moves its session, which
   * `hold` and `forScript` read.
   */
  isReady(authorized: AuthorizedCall, context: CallContext): boolean;
  /** The hold that the intent takes; `null` = none, or the calling script already holds the session. */
  hold(authorized: AuthorizedCall, instance: string): SessionHold | null;
  /** The hold under which the calls of this call's script run. */
  forScript(): ScriptHold | null;
  /** Resolves when the call may be decided again, or with the reason why it is refused. @throws AppError `session_busy` */
  wait(): Promise<Refusal | null>;
  /** Releases this call's turn among the calls of its script. The hold of a session ends with the outcome instead. */
  end(): void;
}

const CANCELLED: Refusal = {
  code: "cancelled",
  message: "The call was cancelled before it ran.",
  reason: "cancelled while it waited for its session",
};

const BUSY: Refusal = {
  code: "session_busy",
  message: "Another running call of this session can change its state: try again when that call has ended.",
  headers: { "retry-after": "1" },
  reason: "session_busy",
};

/** The turn of one call. */
export function sessionTurn(call: Call, deps: Pick<Dependencies, "isSessionFree" | "elapsed">): SessionTurn {
  const scriptHold = call.script?.hold ?? null;
  let moves = false;
  let waitEndsAt: number | null = null;
  let turn: ReturnType<TurnQueue> | null = null;

  return {
    isReady({ tool }, { snapshot, session, request, resolution }) {
      moves = session !== null && isMoving(snapshot.index, request.machine, resolution.state, tool.id);
      return !moves || scriptHold === null || turn !== null;
    },
    hold: ({ tool }, instance) =>
      moves && scriptHold === null
        ? { callId: call.callId, instance, seconds: deadlineSeconds(tool) + LEASE_GRACE_SECONDS }
        : null,
    forScript: () => (moves ? { holder: scriptHold?.holder ?? call.callId, turns: turnQueue() } : scriptHold),
    async wait() {
      // A refusal would end an accepted call. The error returns the call to the queue, which outlives this process.
      if (call.mode === "resumed") throw new AppError("session_busy", BUSY.message);
      const end = (waitEndsAt ??= deps.elapsed() + WAIT_MS);
      const cancelled = new AbortController();
      const unregister = registerRunning(call.callId, cancelled);
      const signal =
        call.script === undefined ? cancelled.signal : AbortSignal.any([cancelled.signal, call.script.ended]);
      try {
        signal.throwIfAborted();
        if (
          scriptHold === null
            ? await untilSessionFree(call.sessionId ?? "", deps, end, signal)
            : await inTurn((turn = scriptHold.turns()), signal, end - deps.elapsed())
        )
          return null;
      } catch (error) {
        if (signal.aborted) return CANCELLED;
        throw error;
      } finally {
        unregister();
      }
      return BUSY;
    },
    end: () => turn?.release(),
  };
}

/** Polls until no call holds the session. False: it was still held at `end`, in milliseconds of `elapsed`. */
export async function untilSessionFree(
  id: string,
  deps: Pick<Dependencies, "isSessionFree" | "elapsed">,
  end: number,
  signal?: AbortSignal,
): Promise<boolean> {
  for (let pause = MIN_POLL_MS; deps.elapsed() < end; pause = Math.min(pause * 2, MAX_POLL_MS)) {
    await delay(pause, undefined, { signal });
    if (await deps.isSessionFree(id)) return true;
  }
  return false;
}

async function inTurn({ mine }: ReturnType<TurnQueue>, signal: AbortSignal, ms: number): Promise<boolean> {
  const settled = new AbortController();
  const timeout = delay(ms, false, { signal: AbortSignal.any([signal, settled.signal]) });
  try {
    return await Promise.race([mine.then(() => true), timeout]);
  } finally {
    settled.abort();
    timeout.catch(() => {});
  }
}

/** The turns of one script's calls. They need no store, because a script and its calls run in the same process. */
function turnQueue(): TurnQueue {
  let last = Promise.resolve();
  return () => {
    const mine = last;
    let release = () => {};
    const done = new Promise<void>((resolve) => (release = resolve));
    last = mine.then(() => done);
    return { mine, release };
  };
}
