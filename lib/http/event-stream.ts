/** Milliseconds between signs of life on a quiet stream (3-http, Agent API). */
const HEARTBEAT_MS = 30_000;

/** Where a stream's events go. */
export interface EventSink {
  /** Sends one event; after the reader has left, nothing happens. */
  readonly send: (event: string, data: unknown, id?: string) => void;
  /** Aborted when the reader has left. */
  readonly left: AbortSignal;
}

/**
 * Server-sent events (HTML, 9.2): the first byte at once, so that the reader's headers come; a `heartbeat` while nothing
 * happens; the end when `run` ends. What `run` throws ends the stream without a word: say it before.
 */
export function eventStream(run: (sink: EventSink) => Promise<void>): Response {
  const encoder = new TextEncoder();
  const left = new AbortController();
  let heart: NodeJS.Timeout | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const write = (text: string) => {
        if (!left.signal.aborted) controller.enqueue(encoder.encode(text));
      };
      const send: EventSink["send"] = (event, data, id) =>
        write(`event: ${event}\n${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`);
      write(": open\n\n");
      heart = setInterval(() => send("heartbeat", {}), HEARTBEAT_MS);
      heart.unref();
      void run({ send, left: left.signal })
        .catch(() => {})
        .finally(() => {
          clearInterval(heart);
          if (!left.signal.aborted) controller.close();
        });
    },
    cancel() {
      clearInterval(heart);
      left.abort();
    },
  });
  return new Response(body, {
    headers: {
      "content-type": "text/event-stream",
      "cache-control": "no-store, no-transform",
      // Proxies that buffer would hold every event back.
      "x-accel-buffering": "no",
    },
  });
}
