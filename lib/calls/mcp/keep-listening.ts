import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "@modelcontextprotocol/client";

/** Milliseconds before the first attempt to listen again; it doubles with each failure. */
const MIN_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 60_000;
/** A stream that was open this long counts as a success, in milliseconds. */
const STEADY_MS = 5_000;
/** The time limit for a server to acknowledge the subscription, in milliseconds. */
const ACKNOWLEDGED_MS = 10_000;

/** The events of a subscription to changes. */
interface ListenListener {
  /** Whether announcements arrive now. Called at the start and on every change. */
  readonly listening: (isListening: boolean) => void;
  /** Changes may have been missed: the stream was interrupted and is open again. */
  readonly missed: () => void;
}

/**
 * Subscribes to a server's changes again when the stream ends, after a restart or the idle time of a load balancer
 * (2026-07-28, `subscriptions/listen`). Pauses grow from 1 s to 60 s, each at random within its upper half.
 *
 * @returns a function that stops it
 */
export function keepListening(client: Client, { listening, missed }: ListenListener): () => void {
  const stopped = new AbortController();
  const { signal } = stopped;
  let reported: boolean | null = null;
  const reportListening = (isListening: boolean) => {
    if (reported !== isListening && !signal.aborted) listening(isListening);
    reported = isListening;
  };
  const listen = () => client.listen({ toolsListChanged: true }, { timeout: ACKNOWLEDGED_MS, signal });
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
      const pause = Math.min(MIN_BACKOFF_MS * 2 ** failures, MAX_BACKOFF_MS);
      await delay(pause * (0.5 + Math.random() / 2), undefined, { signal, ref: false }).catch(() => {});
      failures = Math.min(failures + 1, 10);
      subscription = signal.aborted ? null : await listen().catch(() => null);
      if (subscription !== null) missed();
    }
  };
  void run();
  return () => stopped.abort();
}
