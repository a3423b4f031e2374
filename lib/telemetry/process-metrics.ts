import { monitorEventLoopDelay, type IntervalHistogram } from "node:perf_hooks";
import type { Metric } from "@/lib/telemetry/registry";

/** Milliseconds between two measurements of the event loop's delay. */
const RESOLUTION_MS = 20;

let delay: IntervalHistogram | undefined;

/**
 * Metrics of the process, under the names that Node dashboards know. The delay covers the time since the last reading.
 */
export async function readProcess(): Promise<Metric[]> {
  const { rss, heapUsed } = process.memoryUsage();
  const { p99, max } = readDelay();
  return [
    gauge("process_resident_memory_bytes", "By", "Memory of the process.", rss),
    gauge("nodejs_heap_size_used_bytes", "By", "Memory in use by JavaScript objects.", heapUsed),
    gauge(
      "process_start_time_seconds",
      "s",
      "When the process was started, since 1970.",
      performance.timeOrigin / 1000,
    ),
    gauge("nodejs_eventloop_lag_p99_seconds", "s", "How late the event loop was, 99th percentile.", p99),
    gauge("nodejs_eventloop_lag_max_seconds", "s", "How late the event loop was at most.", max),
  ];
}

/** Starts to watch at the first reading, so that an unused metric costs nothing. */
function readDelay(): { readonly p99: number; readonly max: number } {
  if (delay === undefined) {
    delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    delay.enable();
  }
  const seen = delay.count === 0 ? { p99: 0, max: 0 } : { p99: delay.percentile(99), max: delay.max };
  delay.reset();
  return { p99: lateness(seen.p99), max: lateness(seen.max) };
}

/** Converts the nanoseconds between two measurements to a delay in seconds. */
function lateness(between: number): number {
  return Math.max(0, between / 1e9 - RESOLUTION_MS / 1000);
}

function gauge(name: string, unit: string, help: string, value: number): Metric {
  return { name, unit, help, kind: "gauge", samples: [{ labels: {}, value }] };
}
