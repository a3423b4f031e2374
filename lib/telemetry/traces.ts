import type { TraceContext } from "@/lib/telemetry/trace-context";

/** What a span says, by OpenTelemetry's conventions; never arguments, results or credentials. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** A span as it begins. */
export interface SpanStart {
  readonly name: string;
  readonly kind: "server" | "client" | "internal";
  readonly attributes: SpanAttributes;
}

/** A span as it ends. */
export interface SpanEnd {
  /** What only turned out meanwhile. */
  readonly name?: string;
  readonly attributes: SpanAttributes;
  /** `error.type`; `null` = it went well. */
  readonly error: string | null;
}

/** A span that has begun. */
export interface Span {
  /** What is caused by it continues this; `null` when there is no trace. */
  readonly context: TraceContext | null;
  readonly end: (end: SpanEnd) => void;
}

/** Begins a span, as a child of `parent` or as the first of a trace. */
export type StartSpan = (start: SpanStart, parent: TraceContext | null) => Span;

/** Next bundles each route on its own: the recorder is one per process. */
const shared = globalThis as typeof globalThis & { quartermasterSpans?: StartSpan };

/** Has spans recorded from now on. */
export function recordSpans(start: StartSpan): void {
  shared.quartermasterSpans = start;
}

/** Begins a span. Where none are recorded the caller's trace is passed on as it came, and nothing is made up. */
export function startSpan(start: SpanStart, parent: TraceContext | null): Span {
  return shared.quartermasterSpans?.(start, parent) ?? { context: parent, end: () => {} };
}
