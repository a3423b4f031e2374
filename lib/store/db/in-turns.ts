import type { Parts } from "@/lib/access/model/parts";
import { AppError } from "@/lib/errors";
import { STAGE_MS, turn } from "@/lib/process/turn";

/** The milliseconds after which long work lets other work run. */
const MAX_BLOCK_MS = 10;

/** Yields the items and lets other work run in between: a loop over thousands of rows would delay every answer. */
export async function* inTurns<T>(items: Iterable<T>): AsyncGenerator<T, void, undefined> {
  let since = performance.now();
  for (const item of items) {
    yield item;
    if (performance.now() - since < MAX_BLOCK_MS) continue;
    await turn();
    since = performance.now();
  }
}

/**
 * Runs work in parts and lets other work run in between.
 *
 * @param limitMs milliseconds that the parts may take together. Other work does not count, because the caller has no
 * influence on it
 * @param signal stops the work, for a caller that disconnects
 * @throws AppError `request_timeout`; the reason of `signal`
 */
export async function runInTurns<Result>(
  parts: Parts<Result>,
  limitMs = Number.POSITIVE_INFINITY,
  signal?: AbortSignal,
): Promise<Result> {
  let since = performance.now();
  let spentMs = 0;
  for (;;) {
    const part = parts.next();
    if (part.done === true) {
      if (performance.now() - since > STAGE_MS) await turn();
      return part.value;
    }
    const partMs = performance.now() - since;
    if (partMs < MAX_BLOCK_MS) continue;
    spentMs += partMs;
    if (spentMs > limitMs)
      throw new AppError("request_timeout", "Processing the input takes too long: send a smaller one.");
    await turn();
    signal?.throwIfAborted();
    since = performance.now();
  }
}
