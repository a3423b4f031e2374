import { metrics } from "@/lib/telemetry/metrics";

/** Milliseconds between signs of life on a quiet stream (docs/reference/http.md#agent-api). */
const HEARTBEAT_MS = 30_000;
/** Bytes that may wait for a reader; with more it does not read, and its stream ends. */
const MOST_WAITING = 1024 * 1024;
/** Bytes from which on a reader is behind: what the next event makes superfluous is left out. */
const BEHIND = 64 * 1024;

/** Where a stream's events go. */
export interface EventSink {
  /** Sends one event; after the end of the stream, nothing happens. */
  readonly send: (event: string, data: unknown, id?: string) => void;
  /** The same for data whose JSON is made already, in parts; bytes are sent as they are, shared by whoever sends them. */
  readonly sendMade: (event: string, json: readonly (string | Uint8Array<ArrayBuffer>)[], id?: string) => void;
  /** The same for an event that the next of its kind makes superfluous: a reader that is behind does not get it. */
  readonly hint: (event: string, data: unknown) => void;
  /** Sends a last event and ends the stream. */
  readonly end: (event: string, data: unknown) => void;
  /** Aborted when the stream has ended before `run`: its reader has left or does not read, or `end` was said. */
  readonly left: AbortSignal;
}

/** What a quiet stream says: an event that clients may wait for, or a comment, which every reader passes over. */
type Heartbeat = "event" | "comment";

/**
 * Server-sent events (HTML, 9.2): the first byte at once, so that the reader's headers come; a `heartbeat` while nothing
 * happens, a comment where a protocol's own messages are the only events; the end when `run` ends. What `run` throws ends
 * the stream without a word: say it before. A reader that is 1 MiB behind is cut off, so that no stream holds more than that
 * and one event.
 */
export function eventStream(run: (sink: EventSink) => Promise<void>, heartbeat: Heartbeat = "event"): Response {
  const encoder = new TextEncoder();
  const left = new AbortController();
  let heart: NodeJS.Timeout | undefined;
  const open = metrics().openStreams.of({ kind: "events" });
  open.add(1);
  left.signal.addEventListener("abort", () => open.add(-1), { once: true });
  const leave = () => {
    clearInterval(heart);
    left.abort();
  };
  const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const waiting = () => MOST_WAITING - (controller.desiredSize ?? 0);
    const write = (...parts: readonly (string | Uint8Array<ArrayBuffer>)[]) => {
      if (left.signal.aborted) return;
      if (waiting() <= MOST_WAITING) {
        for (const part of parts) controller.enqueue(typeof part === "string" ? encoder.encode(part) : part);
        return;
      }
      leave();
      // An error, not an end: what waits is dropped, and the connection with it. The name keeps servers from reporting it.
      controller.error(new DOMException("The reader does not read.", "AbortError"));
    };
    const headOf = (event: string, id?: string) => `event: ${event}\n${id === undefined ? "" : `id: ${id}\n`}data: `;
    const send: EventSink["send"] = (event, data, id) => write(`${headOf(event, id)}${JSON.stringify(data)}\n\n`);
    const sendMade: EventSink["sendMade"] = (event, json, id) => write(headOf(event, id), ...json, "\n\n");
    const hint: EventSink["hint"] = (event, data) => {
      if (waiting() <= BEHIND) send(event, data);
    };
    const close = () => {
      if (left.signal.aborted) return;
      leave();
      controller.close();
    };
    const end: EventSink["end"] = (event, data) => {
      send(event, data);
      close();
    };
    write(": open\n\n");
    const beat = () => (heartbeat === "event" ? hint("heartbeat", {}) : write(": heartbeat\n\n"));
    heart = setInterval(beat, HEARTBEAT_MS);
    heart.unref();
    void run({ send, sendMade, hint, end, left: left.signal })
      .catch(() => {})
      .finally(close);
  };
  const body = new ReadableStream<Uint8Array>(
    { start, cancel: leave },
    new ByteLengthQueuingStrategy({ highWaterMark: MOST_WAITING }),
  );
  return new Response(body, {
    headers: {
      "content-type": "text/event-stream",
      "cache-control": "no-store, no-transform",
      // Proxies that buffer would hold every event back.
      "x-accel-buffering": "no",
    },
  });
}
