import { withTimeout } from "@/lib/process/timeout";
import { singleton } from "@/lib/process/singleton";
import { isExported } from "@/lib/telemetry/signals";

/** The started export, and the function that stops it. */
const started = singleton("Export", () => import("@/lib/telemetry/otlp").then(({ startOtlp }) => startOtlp()));

/** Starts sending traces and metrics when the environment enables them. Otherwise loads no exporter. */
export async function startExport(): Promise<void> {
  if (!isExported("TRACES") && !isExported("METRICS")) return;
  await started();
}

/** Milliseconds that an ending process waits for a collector. */
const STOP_TIMEOUT_MS = 3_000;

/** Sends the rest at the end of a process. A collector that does not answer delays the end only briefly. */
export async function stopExport(): Promise<void> {
  const stop = await started.peek();
  if (stop === undefined) return;
  started.clear();
  await withTimeout(stop(), STOP_TIMEOUT_MS, undefined);
}
