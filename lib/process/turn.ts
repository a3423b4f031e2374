import { setImmediate as nextCheck } from "node:timers/promises";

/** After a longer stage, in milliseconds, other work gets a turn. */
export const STAGE_MS = 3;

/**
 * Gives other work one whole pass of the event loop. The first check ends the pass that this work began in: without the
 * second, work that began with input would continue before any other input is read.
 */
export async function turn(): Promise<void> {
  await nextCheck();
  await nextCheck();
}

/**
 * Runs one stage of the work on a value whose size a caller or an upstream chooses: such stages, each short, would
 * together hold up other work. A stage that took milliseconds, also because its code is not compiled yet, ends with a
 * turn for other work.
 */
export async function stage<Made>(work: () => Made): Promise<Made> {
  const since = performance.now();
  const made = work();
  if (performance.now() - since > STAGE_MS) await turn();
  return made;
}
