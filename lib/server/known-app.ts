import type { Metric } from "@/lib/telemetry/registry";

/** What the gateway knows about the app process (docs/decisions/0038-two-processes.md). */
interface KnownApp {
  readonly isReady: () => boolean;
  /** The metrics of its process; empty while it does not answer. */
  readonly metrics: () => Promise<readonly Metric[]>;
}

let known: KnownApp | null = null;

/** Sets the app that this process forwards requests to. */
export function setKnownApp(app: KnownApp): void {
  known = app;
}

/** The app that this process forwards requests to; `null` = none. */
export function knownApp(): KnownApp | null {
  return known;
}
