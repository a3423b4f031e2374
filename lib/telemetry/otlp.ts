import { randomUUID } from "node:crypto";
import { diag, DiagLogLevel } from "@opentelemetry/api";
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
  type Resource,
} from "@opentelemetry/resources";
import { MeterProvider, PeriodicExportingMetricReader, type PushMetricExporter } from "@opentelemetry/sdk-metrics";
import { BatchSpanProcessor, TracerProvider, type SpanExporter } from "@opentelemetry/sdk-trace";
import { env } from "@/lib/env";
import { log } from "@/lib/telemetry/log";
import { metrics } from "@/lib/telemetry/metrics";
import { toScopeMetrics } from "@/lib/telemetry/otlp-metrics";
import { sampler, spanRecorder } from "@/lib/telemetry/otlp-spans";
import { isExported, type Signal } from "@/lib/telemetry/signals";
import { recordSpans } from "@/lib/telemetry/traces";

/** Milliseconds until an export to a collector times out. */
const EXPORT_TIMEOUT_MS = 10_000;

/**
 * Sends spans and metrics to the collector of the environment. The exporters read its address, headers and certificates
 * themselves. The collector belongs to the operator, like the database, so the app does not reach it through
 * lib/outbound.
 * Resolves to a function that sends the rest and stops.
 */
export async function startOtlp(): Promise<() => Promise<void>> {
  diag.setLogger(
    { error: logProblem, warn: logProblem, info: () => {}, debug: () => {}, verbose: () => {} },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const resource = ownResource();
  const stops = await Promise.all([
    isExported("TRACES") ? startTraces(resource) : undefined,
    isExported("METRICS") ? startMetrics(resource) : undefined,
  ]);
  return async () => {
    await Promise.allSettled(stops.map((stop) => stop?.()));
  };
}

async function startTraces(resource: Resource): Promise<() => Promise<void>> {
  const exporter = await traceExporter();
  const processor = new BatchSpanProcessor({
    exporter,
    scheduledDelayMillis: env.OTEL_BSP_SCHEDULE_DELAY,
    exportTimeoutMillis: EXPORT_TIMEOUT_MS,
  });
  // Not registered with the API: Next would then record its own spans, which contain addresses with their queries.
  const provider = new TracerProvider({ resource, sampler: sampler(), spanProcessors: [processor] });
  recordSpans(spanRecorder(provider.getTracer("quartermaster")));
  return () => provider.shutdown();
}

async function startMetrics(resource: Resource): Promise<() => Promise<void>> {
  const interval = env.OTEL_METRIC_EXPORT_INTERVAL;
  const reader = new PeriodicExportingMetricReader({
    exporter: await metricExporter(),
    exportIntervalMillis: interval,
    exportTimeoutMillis: Math.min(interval, EXPORT_TIMEOUT_MS),
    metricProducers: [
      {
        collect: async () => {
          const scopeMetrics = [toScopeMetrics(await metrics().registry.collect())];
          return { resourceMetrics: { resource, scopeMetrics }, errors: [] };
        },
      },
    ],
  });
  const provider = new MeterProvider({ resource, readers: [reader] });
  return () => provider.shutdown();
}

async function traceExporter(): Promise<SpanExporter> {
  const { OTLPTraceExporter } = isJson("TRACES")
    ? await import("@opentelemetry/exporter-trace-otlp-http")
    : await import("@opentelemetry/exporter-trace-otlp-proto");
  return new OTLPTraceExporter();
}

async function metricExporter(): Promise<PushMetricExporter> {
  const { OTLPMetricExporter } = isJson("METRICS")
    ? await import("@opentelemetry/exporter-metrics-otlp-http")
    : await import("@opentelemetry/exporter-metrics-otlp-proto");
  return new OTLPMetricExporter();
}

/** Protobuf is the specification's default. */
function isJson(signal: Signal): boolean {
  return (env[`OTEL_EXPORTER_OTLP_${signal}_PROTOCOL`] ?? env.OTEL_EXPORTER_OTLP_PROTOCOL) === "http/json";
}

/** OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES override these values. */
function ownResource(): Resource {
  return defaultResource()
    .merge(
      resourceFromAttributes({
        "service.name": "quartermaster",
        // Each process counts separately: a collector must not mix the numbers of two processes.
        "service.instance.id": randomUUID(),
      }),
    )
    .merge(detectResources({ detectors: [envDetector] }));
}

/** Logs the library's message about an unreachable collector, without the data that was sent. */
function logProblem(message: string): void {
  log.warn({ detail: message.slice(0, 500) }, "Telemetry could not be sent.");
}
