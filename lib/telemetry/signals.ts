import { env } from "@/lib/env";

/** What is exported on its own, as OpenTelemetry's variables call it. */
export type Signal = "TRACES" | "METRICS";

/** Whether a signal is sent by OTLP: an endpoint is set, and nothing says no (OpenTelemetry, Environment variables). */
export function isExported(signal: Signal): boolean {
  const endpoint = env[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`] ?? env.OTEL_EXPORTER_OTLP_ENDPOINT;
  return endpoint !== undefined && env[`OTEL_${signal}_EXPORTER`] !== "none" && !env.OTEL_SDK_DISABLED;
}
