import type { Parts } from "@/lib/access/model/parts";
import { AppError } from "@/lib/errors";
import { STAGE_MS, turn } from "@/lib/process/turn";

/** Milliseconds for which long work may block the event loop at a time. */
const TURN_MS = 10;

/**
 * Yields the items and gives other work a turn in between. For thousands of rows, so that an import delays no other
 * answer.
 */
export async function* inTurns<T>(items: Iterable<T>): AsyncGenerator<T, void, undefined> {
  let since = performance.now();
  for (const item of items) {
    yield item;
    if (performance.now() - since < TURN_MS) continue;
    await turn();
    since = performance.now();
  }
}

/**
 * Runs work in parts, with turns for other work in between.
 *
 * @param limitMs milliseconds that the parts may take together. The turns between them do not count: how long those are
 * depends on what else the process does, not on the author of the work.
 * @param signal ends the work when the caller has left
 * @throws AppError `request_timeout`; the reason of `signal`
 */
export async function runInTurns<Made>(
  parts: Parts<Made>,
  limitMs = Number.POSITIVE_INFINITY,
  signal?: AbortSignal,
): Promise<Made> {
  let since = performance.now();
  let spent = 0;
  for (;;) {
    const part = parts.next();
    if (part.done === true) {
      if (performance.now() - since > STAGE_MS) await turn();
      return part.value;
    }
    const taken = performance.now() - since;
    if (taken < TURN_MS) continue;
    spent += taken;
    if (spent > limitMs)
      throw new AppError("request_timeout", "Processing the document takes too long: send a smaller one.");
    await turn();
    signal?.throwIfAborted();
    since = performance.now();
  }
}
