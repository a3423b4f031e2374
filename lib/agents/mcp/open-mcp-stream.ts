import { toCallReply, type CallAnswer } from "@/lib/agents/mcp/call-answer";
import { metrics } from "@/lib/telemetry/metrics";

/** Bytes that may wait for a slow reader. With more, its stream ends. */
const MAX_WAITING = 1024 * 1024;

/**
 * Sends a stream of the MCP library: the first byte at once, so that the client gets its headers, and at most 1 MiB and
 * one message buffered for a slow reader. Passes any other response on unchanged.
 *
 * @param ended called once when the stream is over, for whatever reason, or when there is none
 * @param refusal replaces the response, which waits for it; `null` = the call is not refused for scopes
 */
export async function openMcpStream(
  answer: Promise<Response>,
  ended: () => void = () => {},
  refusal?: Promise<CallAnswer | null>,
): Promise<Response> {
  const response = await answer.catch((error: unknown) => {
    ended();
    throw error;
  });
  const { body, status } = response;
  const headers = new Headers(response.headers);
  // The front decides whether a connection stays open (RFC 9110, 7.6.1).
  headers.delete("connection");
  if (body === null || headers.get("content-type") !== "text/event-stream") {
    ended();
    const refused = refusal === undefined ? null : await Promise.race([refusal, Promise.resolve(null)]);
    return refused === null ? new Response(body, { status, headers }) : (await toCallReply(refused)).toResponse();
  }
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const first = reader.read();
  // `passOn` reports the error of a stream that breaks at once.
  const begun = first.then(
    () => null,
    () => null,
  );
  const refused = refusal === undefined ? null : await Promise.race([refusal, begun]);
  if (refused !== null) {
    await reader.cancel().catch(() => {});
    ended();
    return (await toCallReply(refused)).toResponse();
  }
  const open = metrics().openStreams.of({ kind: "mcp" });
  const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    controller.enqueue(new TextEncoder().encode(": open\n\n"));
    open.add(1);
    void passOn(reader, first, controller).finally(() => {
      open.add(-1);
      ended();
    });
  };
  const stream = new ReadableStream<Uint8Array>(
    { start, cancel: (reason) => reader.cancel(reason) },
    new ByteLengthQueuingStrategy({ highWaterMark: MAX_WAITING }),
  );
  return new Response(stream, { status, headers });
}

async function passOn(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  first: ReturnType<typeof reader.read>,
  controller: ReadableStreamDefaultController<Uint8Array>,
): Promise<void> {
  try {
    for (let next = first; ; next = reader.read()) {
      const { done, value } = await next;
      if (done) return controller.close();
      if ((controller.desiredSize ?? 0) < 0) throw new DOMException("The reader does not read.", "AbortError");
      controller.enqueue(value);
    }
  } catch (error) {
    await reader.cancel(error).catch(() => {});
    controller.error(error);
  }
}
