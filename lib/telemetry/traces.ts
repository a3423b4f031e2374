import { singleton } from "@/lib/process/singleton";
import type { TraceContext } from "@/lib/telemetry/trace-context";

/** The attributes of a span, by OpenTelemetry's conventions; never arguments, results or credentials. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** The data of a span at its start. */
export interface SpanStart {
  readonly name: string;
  readonly kind: "server" | "client" | "internal";
  readonly attributes: SpanAttributes;
}

/** The data of a span at its end. */
interface SpanEnd {
  /** A name that was unknown at the start. */
  readonly name?: string;
  readonly attributes: SpanAttributes;
  /** `error.type`; `null` = success. */
  readonly error: string | null;
}

/** A started span. */
export interface Span {
  /** The context for spans and requests that this span causes; `null` without a trace. */
  readonly context: TraceContext | null;
  readonly end: (end: SpanEnd) => void;
}

/** Starts a span, as a child of `parent` or as the first of a trace. */
export type StartSpan = (start: SpanStart, parent: TraceContext | null) => Span;

const recorder = singleton<StartSpan>("Spans", () => (_start, parent) => ({ context: parent, end: () => {} }));

/** Starts recording spans. */
export function recordSpans(start: StartSpan): void {
  recorder.set(start);
}

/** Starts a span. Without a recorder it passes the caller's trace on unchanged, and creates none. */
export function startSpan(start: SpanStart, parent: TraceContext | null): Span {
  return recorder.peek()?.(start, parent) ?? { context: parent, end: () => {} };
}
