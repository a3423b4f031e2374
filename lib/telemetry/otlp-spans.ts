import {
  createTraceState,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Tracer,
} from "@opentelemetry/api";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  type Sampler,
} from "@opentelemetry/sdk-trace";
import { env } from "@/lib/env";
import type { TraceContext } from "@/lib/telemetry/trace-context";
import type { StartSpan } from "@/lib/telemetry/traces";

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;

/** Records spans with a tracer. */
export function spanRecorder(tracer: Tracer): StartSpan {
  return ({ name, kind, attributes }, parent) => {
    const span = tracer.startSpan(name, { kind: KINDS[kind], attributes }, toContext(parent));
    const { traceId, spanId, traceFlags } = span.spanContext();
    const flags = traceFlags.toString(16).padStart(2, "0");
    return {
      context: { traceparent: `00-${traceId}-${spanId}-${flags}`, tracestate: parent?.tracestate ?? null },
      end: ({ name: known, attributes: more, error }) => {
        if (known !== undefined) span.updateName(known);
        span.setAttributes(more);
        if (error !== null) {
          span.setAttribute("error.type", error);
          span.setStatus({ code: SpanStatusCode.ERROR });
        }
        span.end();
      },
    };
  };
}

function toContext(parent: TraceContext | null): Context {
  if (parent === null) return ROOT_CONTEXT;
  const { traceparent, tracestate } = parent;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId: traceparent.slice(3, 35),
    spanId: traceparent.slice(36, 52),
    traceFlags: Number.parseInt(traceparent.slice(53), 16),
    isRemote: true,
    ...(tracestate !== null && { traceState: createTraceState(tracestate) }),
  });
}

/** The sampler that OTEL_TRACES_SAMPLER names. */
export function sampler(): Sampler {
  const name = env.OTEL_TRACES_SAMPLER;
  const root = rootSampler(name.replace("parentbased_", ""));
  return name.startsWith("parentbased_") ? new ParentBasedSampler({ root }) : root;
}

function rootSampler(name: string): Sampler {
  if (name === "always_off") return new AlwaysOffSampler();
  return name === "traceidratio" ? new TraceIdRatioBasedSampler(env.OTEL_TRACES_SAMPLER_ARG) : new AlwaysOnSampler();
}
