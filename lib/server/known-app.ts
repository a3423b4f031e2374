import type { Metric } from "@/lib/telemetry/registry";

/** The app for people, as the gateway beside it knows it (docs/decisions/0038-two-processes.md). */
export interface KnownApp {
  readonly isReady: () => boolean;
  /** What its process counted; empty while it cannot say. */
  readonly metrics: () => Promise<readonly Metric[]>;
}

let known: KnownApp | null = null;

/** Tells of the app that this process forwards to. */
export function setKnownApp(app: KnownApp): void {
  known = app;
}

/** The app that this process forwards to; `null` = there is none. */
export function knownApp(): KnownApp | null {
  return known;
}
