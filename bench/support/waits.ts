import { setTimeout as delay } from "node:timers/promises";

/** Milliseconds between two requests. */
const PAUSE_MS = 5;

/** Milliseconds that each request takes, sent one after the other for a time. */
export async function waits(ask: () => Promise<void>, forMs: number): Promise<number[]> {
  const times: number[] = [];
  const until = performance.now() + forMs;
  while (performance.now() < until) {
    const start = performance.now();
    await ask();
    times.push(performance.now() - start);
    await delay(PAUSE_MS);
  }
  return times;
}
