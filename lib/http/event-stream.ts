import { metrics } from "@/lib/telemetry/metrics";

/** Milliseconds between heartbeats on a quiet stream (docs/reference/http.md#agent-api). */
const HEARTBEAT_MS = 30_000;
/** The most bytes that may wait for a reader. With more, the reader has stopped reading and its stream ends. */
const MAX_BUFFERED_BYTES = 1024 * 1024;
/** A reader with more waiting bytes is behind: events that the next event replaces are then dropped. */
const SLOW_READER_BYTES = 64 * 1024;

/** The output of a stream. */
export interface EventSink {
  /** Sends one event. Does nothing after the end of the stream. */
  readonly send: (event: string, data: unknown, id?: string) => void;
  /**
   * Sends an event whose JSON already exists, in parts. Byte parts are sent without a copy, so streams can share them.
   */
  readonly sendSerialized: (event: string, json: readonly (string | Uint8Array<ArrayBuffer>)[], id?: string) => void;
  /** Sends an event that the next of its kind replaces. A reader that is behind does not receive it. */
  readonly sendReplaceable: (event: string, data: unknown) => void;
  /** Sends a last event and ends the stream. */
  readonly end: (event: string, data: unknown) => void;
  /** Aborted when the stream ends before `run`: the reader has disconnected or stopped reading, or `end` was called. */
  readonly closed: AbortSignal;
}

/** The heartbeat of a quiet stream: an event that clients may wait for, or a comment, which every reader ignores. */
type Heartbeat = "event" | "comment";

/**
 * Server-sent events (HTML, 9.2). The first byte is sent at once, so that the reader receives the headers. Quiet
 * streams send a `heartbeat` event, or a comment where a protocol allows only its own messages.
 * The stream ends when `run` ends. What `run` throws ends it without a message: send one before. A reader that is 1 MiB
 * behind is disconnected, which bounds the memory of a stream to that and one event.
 */
export function eventStream(run: (sink: EventSink) => Promise<void>, heartbeat: Heartbeat = "event"): Response {
  const encoder = new TextEncoder();
  const closed = new AbortController();
  let heart: NodeJS.Timeout | undefined;
  const open = metrics().openStreams.of({ kind: "events" });
  open.add(1);
  closed.signal.addEventListener("abort", () => open.add(-1), { once: true });
  const leave = () => {
    clearInterval(heart);
    closed.abort();
  };
  const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const waiting = () => MAX_BUFFERED_BYTES - (controller.desiredSize ?? 0);
    const write = (...parts: readonly (string | Uint8Array<ArrayBuffer>)[]) => {
      if (closed.signal.aborted) return;
      if (waiting() <= MAX_BUFFERED_BYTES) {
        for (const part of parts) controller.enqueue(typeof part === "string" ? encoder.encode(part) : part);
        return;
      }
      leave();
      // An error, not a normal end: it drops the waiting bytes and the connection. The name keeps servers from
      // reporting it.
      controller.error(new DOMException("The client does not read the stream.", "AbortError"));
    };
    const headOf = (event: string, id?: string) => `event: ${event}\n${id === undefined ? "" : `id: ${id}\n`}data: `;
    const send: EventSink["send"] = (event, data, id) => write(`${headOf(event, id)}${JSON.stringify(data)}\n\n`);
    const sendSerialized: EventSink["sendSerialized"] = (event, json, id) => write(headOf(event, id), ...json, "\n\n");
    const sendReplaceable: EventSink["sendReplaceable"] = (event, data) => {
      if (waiting() <= SLOW_READER_BYTES) send(event, data);
    };
    const close = () => {
      if (closed.signal.aborted) return;
      leave();
      controller.close();
    };
    const end: EventSink["end"] = (event, data) => {
      send(event, data);
      close();
    };
    write(": open\n\n");
    const beat = () => (heartbeat === "event" ? sendReplaceable("heartbeat", {}) : write(": heartbeat\n\n"));
    heart = setInterval(beat, HEARTBEAT_MS);
    heart.unref();
    void run({ send, sendSerialized, sendReplaceable, end, closed: closed.signal })
      .catch(() => {})
      .finally(close);
  };
  const body = new ReadableStream<Uint8Array>(
    { start, cancel: leave },
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
