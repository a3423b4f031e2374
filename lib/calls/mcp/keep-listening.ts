import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "@modelcontextprotocol/client";

/** Milliseconds before the first attempt to listen again, or to list again; it doubles with each failure. */
const MIN_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 60_000;
/** A stream that was open this long counts as a success, in milliseconds. */
const STEADY_MS = 5_000;
/** The time limit for a server to acknowledge the subscription, in milliseconds. */
const ACKNOWLEDGED_MS = 10_000;
/** How often an interruption is checked for missed changes: with the pauses about half a minute, in which a server can start. */
const MAX_CHECKS = 6;

/** The events of a subscription to changes. */
interface ListenListener {
  /** Whether announcements arrive now. Called at the start and on every change. */
  readonly listening: (isListening: boolean) => void;
  /** Whether there were changes while the stream was interrupted. It is open again. Rejects when that cannot be read now. */
  readonly hasMissed: () => Promise<boolean>;
  /** Changes were missed, or may have been because every check failed. */
  readonly missed: () => void;
}

/**
 * Subscribes to a server's changes again when the stream ends, after a restart or the idle time of a load balancer
 * (2026-07-28, `subscriptions/listen`). Pauses grow from 1 s to 60 s, each at random within its upper half.
 *
 * @returns a function that stops it
 */
export function keepListening(client: Client, { listening, hasMissed, missed }: ListenListener): () => void {
  const stopped = new AbortController();
  const { signal } = stopped;
  let reported: boolean | null = null;
  const reportListening = (isListening: boolean) => {
    if (reported !== isListening && !signal.aborted) listening(isListening);
    reported = isListening;
  };
  const listen = () => client.listen({ toolsListChanged: true }, { timeout: ACKNOWLEDGED_MS, signal });
  const pauseAfter = async (failures: number) => {
    const pause = Math.min(MIN_BACKOFF_MS * 2 ** failures, MAX_BACKOFF_MS);
    await delay(pause * (0.5 + Math.random() / 2), undefined, { signal, ref: false }).catch(() => {});
  };
  let interruptions = 0;
  const check = async () => {
    const mine = (interruptions += 1);
    let isMissed: boolean | null = null;
    for (let checks = 1; isMissed === null && checks <= MAX_CHECKS; checks += 1) {
      if (checks > 1) await pauseAfter(checks - 2);
      // The check of the next interruption finds older changes too.
      if (mine !== interruptions || signal.aborted) return;
      isMissed = await hasMissed().catch(() => null);
    }
    if (isMissed !== false && !signal.aborted) missed();
  };
  const run = async () => {
    let subscription = client.autoOpenedSubscription ?? null;
    let failures = 0;
    while (!signal.aborted) {
      if (subscription !== null) {
        reportListening(true);
        const openedAt = performance.now();
        if ((await subscription.closed) === "local") return;
        // A stream that ends at once does not count as recovery.
        if (performance.now() - openedAt > STEADY_MS) failures = 0;
      }
      if (failures > 0) reportListening(false);
      await pauseAfter(failures);
      failures = Math.min(failures + 1, 10);
      subscription = signal.aborted ? null : await listen().catch(() => null);
      if (subscription !== null) void check();
    }
  };
  void run();
  return () => stopped.abort();
}
