import { setImmediate as turn } from "node:timers/promises";
import type { Parts } from "@/lib/access/model/parts";
import { AppError } from "@/lib/errors";

/** How long work on many items holds the process at a time, in milliseconds. */
const TURN_MS = 20;

/**
 * The items, one after the other; in between, everything else that waits for the process gets its turn. For thousands
 * of rows at once: nobody's answer is to wait for an import.
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
 * What work in parts makes; in between, as above.
 *
 * @param until on the clock of `performance.now()`: work that is not done by then ends
 * @param signal ends the work when the caller has left
 * @throws AppError `request_timeout`; the reason of `signal`
 */
export async function madeInTurns<Made>(
  parts: Parts<Made>,
  until = Number.POSITIVE_INFINITY,
  signal?: AbortSignal,
): Promise<Made> {
  let since = performance.now();
  for (;;) {
    const part = parts.next();
    if (part.done === true) return part.value;
    if (performance.now() - since < TURN_MS) continue;
    if (performance.now() > until)
      throw new AppError("request_timeout", "The document takes too long to work through: send a smaller one.");
    await turn();
    signal?.throwIfAborted();
    since = performance.now();
  }
}
