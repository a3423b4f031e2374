/** A trace and a position in it, as the two fields that carry it (W3C Trace Context, level 1). */
export interface TraceContext {
  /** `00-<trace id>-<span id>-<flags>`. */
  readonly traceparent: string;
  readonly tracestate: string | null;
}

/** Version, trace id, span id, flags; a later version may append more. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?=$|-)(.*)$/;
/** The length that every system must be able to pass on (W3C Trace Context, 3.3.1.5). */
const TRACESTATE = /^[\x20-\x7e]{1,512}$/;

/** The trace that a caller states; `null` when it is absent or unreadable, and a new trace begins here. */
export function readTraceContext(traceparent: unknown, tracestate: unknown): TraceContext | null {
  const [, version, traceId, spanId, flags, more] =
    TRACEPARENT.exec(typeof traceparent === "string" ? traceparent : "") ?? [];
  if (traceId === undefined || (version === "00" && more !== "")) return null;
  const state = typeof tracestate === "string" && TRACESTATE.test(tracestate) ? tracestate : null;
  return { traceparent: `00-${traceId}-${spanId}-${flags}`, tracestate: state };
}

/** The trace from the headers of a request. */
export function traceContextOf(headers: Headers): TraceContext | null {
  return readTraceContext(headers.get("traceparent"), headers.get("tracestate"));
}

/** 32 hexadecimal digits; `null` without a trace. */
export function traceIdOf(context: TraceContext | null): string | null {
  return context === null ? null : context.traceparent.slice(3, 35);
}

/** The fields that continue the trace in the next request: headers, or keys of MCP's `_meta`. */
export function traceFields(context: TraceContext | null): Record<string, string> {
  if (context === null) return {};
  const { traceparent, tracestate } = context;
  return { traceparent, ...(tracestate !== null && { tracestate }) };
}
