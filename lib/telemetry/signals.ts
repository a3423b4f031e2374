import { env } from "@/lib/env";

/** A signal that is exported separately, as named in OpenTelemetry's variables. */
export type Signal = "TRACES" | "METRICS";

/**
 * Whether a signal is exported by OTLP: an endpoint is set, and no variable disables it (OpenTelemetry, Environment
 * variables).
 */
export function isExported(signal: Signal): boolean {
  const endpoint = env[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`] ?? env.OTEL_EXPORTER_OTLP_ENDPOINT;
  return endpoint !== undefined && env[`OTEL_${signal}_EXPORTER`] !== "none" && !env.OTEL_SDK_DISABLED;
}
