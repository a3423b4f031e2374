import { metrics } from "@/lib/telemetry/metrics";

/** Milliseconds between heartbeats on a quiet stream (docs/reference/http.md#agent-api). */
const HEARTBEAT_MS = 30_000;
/** A stream with more waiting bytes ends: its reader has stopped reading. */
const MAX_BUFFERED_BYTES = 1024 * 1024;
/** A reader with more waiting bytes is behind: it receives no replaceable events. */
const SLOW_READER_BYTES = 64 * 1024;

/** The output of a stream. */
export interface EventSink {
  /** Sends one event. Does nothing after the end of the stream. */
  readonly send: (event: string, data: unknown, id?: string) => void;
  /**
   * Sends an event whose JSON already exists, in parts. Byte parts are sent without a copy, so streams can share them.
   */
  readonly sendSerialized: (event: string, json: readonly (string | Uint8Array<ArrayBuffer>)[], id?: string) => void;
  /** Sends an event that the next one of its kind replaces. Skips it for a reader that is behind. */
  readonly sendReplaceable: (event: string, data: unknown) => void;
  /** Sends a last event and ends the stream. */
  readonly end: (event: string, data: unknown) => void;
  /** Aborted when the stream ends: the reader disconnected or stopped reading, `end` was called, or `run` ended. */
  readonly closed: AbortSignal;
}

/** The heartbeat of a quiet stream: an event that clients may wait for, or a comment, which every reader ignores. */
type Heartbeat = "event" | "comment";

/**
 * Server-sent events (HTML, 9.2). The first byte is sent at once, so that the reader receives the headers. Quiet
 * streams send a `heartbeat` event, or a comment where a protocol allows only its own messages.
 * The stream ends when `run` ends. An error of `run` reaches no reader: `run` must send its own event for it. A reader that is
 * 1 MiB behind is disconnected, which bounds the memory of a stream to that and one event.
 */
export function eventStream(run: (sink: EventSink) => Promise<void>, heartbeat: Heartbeat = "event"): Response {
  const encoder = new TextEncoder();
  const closed = new AbortController();
  let heartbeatTimer: NodeJS.Timeout | undefined;
  const openStreams = metrics().openStreams.of({ kind: "events" });
  openStreams.add(1);
  closed.signal.addEventListener("abort", () => openStreams.add(-1), { once: true });
  const markClosed = () => {
    clearInterval(heartbeatTimer);
    closed.abort();
  };
  const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const waitingBytes = () => MAX_BUFFERED_BYTES - (controller.desiredSize ?? 0);
    const write = (...parts: readonly (string | Uint8Array<ArrayBuffer>)[]) => {
      if (closed.signal.aborted) return;
      if (waitingBytes() <= MAX_BUFFERED_BYTES) {
        for (const part of parts) controller.enqueue(typeof part === "string" ? encoder.encode(part) : part);
        return;
      }
      markClosed();
      // An error drops the waiting bytes and the connection, unlike a normal end. Servers do not report an `AbortError`.
      controller.error(new DOMException("The client does not read the stream.", "AbortError"));
    };
    const headOf = (event: string, id?: string) => `event: ${event}\n${id === undefined ? "" : `id: ${id}\n`}data: `;
    const send: EventSink["send"] = (event, data, id) => write(`${headOf(event, id)}${JSON.stringify(data)}\n\n`);
    const sendSerialized: EventSink["sendSerialized"] = (event, json, id) => write(headOf(event, id), ...json, "\n\n");
    const sendReplaceable: EventSink["sendReplaceable"] = (event, data) => {
      if (waitingBytes() <= SLOW_READER_BYTES) send(event, data);
    };
    const close = () => {
      if (closed.signal.aborted) return;
      markClosed();
      controller.close();
    };
    const end: EventSink["end"] = (event, data) => {
      send(event, data);
      close();
    };
    write(": open\n\n");
    const sendHeartbeat = () => (heartbeat === "event" ? sendReplaceable("heartbeat", {}) : write(": heartbeat\n\n"));
    heartbeatTimer = setInterval(sendHeartbeat, HEARTBEAT_MS);
    heartbeatTimer.unref();
    void run({ send, sendSerialized, sendReplaceable, end, closed: closed.signal })
      .catch(() => {})
      .finally(close);
  };
  const body = new ReadableStream<Uint8Array>(
    { start, cancel: markClosed },
    new ByteLengthQueuingStrategy({ highWaterMark: MAX_BUFFERED_BYTES }),
  );
  return new Response(body, {
    headers: {
      "content-type": "text/event-stream",
      "cache-control": "no-store, no-transform",
      // Prevents proxies from buffering events.
      "x-accel-buffering": "no",
    },
  });
}
