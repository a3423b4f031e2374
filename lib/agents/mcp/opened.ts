import { metrics } from "@/lib/telemetry/metrics";

/** Bytes that may wait for a reader; with more it does not read, and its stream ends. */
const MOST_WAITING = 1024 * 1024;

/**
 * A stream of the MCP library as it is sent: the first byte at once, so that the reader's headers come, and never more than
 * 1 MiB and one message waiting for a reader that does not read. Any other response is handed through.
 *
 * @param ended hears once when the stream is over, by whoever's doing, or that there is none
 */
export async function opened(answer: Promise<Response>, ended: () => void = () => {}): Promise<Response> {
  const response = await answer.catch((error: unknown) => {
    ended();
    throw error;
  });
  const { body, status } = response;
  const headers = new Headers(response.headers);
  // Whether a connection is kept is the front's matter (RFC 9110, 7.6.1).
  headers.delete("connection");
  if (body === null || headers.get("content-type") !== "text/event-stream") {
    ended();
    return new Response(body, { status, headers });
  }
  const open = metrics().openStreams.of({ kind: "mcp" });
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    controller.enqueue(new TextEncoder().encode(": open\n\n"));
    open.add(1);
    void passOn(reader, controller).finally(() => {
      open.add(-1);
      ended();
    });
  };
  const stream = new ReadableStream<Uint8Array>(
    { start, cancel: (reason) => reader.cancel(reason) },
    new ByteLengthQueuingStrategy({ highWaterMark: MOST_WAITING }),
  );
  return new Response(stream, { status, headers });
}

async function passOn(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  controller: ReadableStreamDefaultController<Uint8Array>,
): Promise<void> {
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return controller.close();
      if ((controller.desiredSize ?? 0) < 0) throw new DOMException("The reader does not read.", "AbortError");
      controller.enqueue(value);
    }
  } catch (error) {
    await reader.cancel(error).catch(() => {});
    controller.error(error);
  }
}
