import { isExported } from "@/lib/telemetry/signals";

/** Next bundles each route separately, but a process has one export. */
const shared = globalThis as typeof globalThis & { quartermasterExport?: Promise<() => Promise<void>> };

/** Starts sending traces and metrics when the environment enables them. Otherwise loads no exporter. */
export async function startExport(): Promise<void> {
  if (!isExported("TRACES") && !isExported("METRICS")) return;
  shared.quartermasterExport ??= import("@/lib/telemetry/otlp").then(({ startOtlp }) => startOtlp());
  await shared.quartermasterExport;
}

/** Milliseconds that an ending process waits for a collector. */
const LAST_MS = 3_000;

/** Sends the rest at the end of a process. A collector that does not answer delays the end only briefly. */
export async function stopExport(): Promise<void> {
  const stop = await shared.quartermasterExport;
  if (stop === undefined) return;
  delete shared.quartermasterExport;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, LAST_MS);
  });
  await Promise.race([stop(), late]);
  clearTimeout(timer);
}
