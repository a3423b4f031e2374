import { toCallReply, type CallAnswer } from "@/lib/agents/mcp/call-answer";
import { metrics } from "@/lib/telemetry/metrics";

/** A stream with more buffered bytes ends: its client is too slow. */
const MAX_BUFFERED_BYTES = 1024 * 1024;

/**
 * Forwards an event stream of the MCP library. Begins with a comment, so that the client of a quiet stream gets the
 * headers. Buffers at most 1 MiB and one message for a slow client. Other responses only lose their `connection` header.
 *
 * @param onEnd called once: when the stream ends for any reason, or at once for another response
 * @param refusal the answer that replaces the response when the token lacks scopes; `null` = nothing replaces it. A stream
 * begins when this settles or the first message arrives
 */
export async function openMcpStream(
  answer: Promise<Response>,
  onEnd: () => void = () => {},
  refusal?: Promise<CallAnswer | null>,
): Promise<Response> {
  const response = await answer.catch((error: unknown) => {
    onEnd();
    throw error;
  });
  const { body, status } = response;
  const headers = new Headers(response.headers);
  // The gateway's HTTP server decides whether a connection stays open (RFC 9110, 7.6.1).
  headers.delete("connection");
  if (body === null || headers.get("content-type") !== "text/event-stream") {
    onEnd();
    // Another response is complete, so only a settled refusal can replace it.
    const refused = refusal === undefined ? null : await Promise.race([refusal, Promise.resolve(null)]);
    return refused === null ? new Response(body, { status, headers }) : (await toCallReply(refused)).toResponse();
  }
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const first = reader.read();
  // `forward` reports the error if the first read fails.
  const firstReadDone = first.then(
    () => null,
    () => null,
  );
  const refused = refusal === undefined ? null : await Promise.race([refusal, firstReadDone]);
  if (refused !== null) {
    await reader.cancel().catch(() => {});
    onEnd();
    return (await toCallReply(refused)).toResponse();
  }
  const openStreams = metrics().openStreams.of({ kind: "mcp" });
  const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    controller.enqueue(new TextEncoder().encode(": open\n\n"));
    openStreams.add(1);
    void forward(reader, first, controller).finally(() => {
      openStreams.add(-1);
      onEnd();
    });
  };
  const stream = new ReadableStream<Uint8Array>(
    { start, cancel: (reason) => reader.cancel(reason) },
    new ByteLengthQueuingStrategy({ highWaterMark: MAX_BUFFERED_BYTES }),
  );
  return new Response(stream, { status, headers });
}

async function forward(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  first: ReturnType<typeof reader.read>,
  controller: ReadableStreamDefaultController<Uint8Array>,
): Promise<void> {
  try {
    for (let next = first; ; next = reader.read()) {
      const { done, value } = await next;
      if (done) return controller.close();
      if ((controller.desiredSize ?? 0) < 0)
        throw new DOMException("The client does not read the stream.", "AbortError");
      controller.enqueue(value);
    }
  } catch (error) {
    await reader.cancel(error).catch(() => {});
    controller.error(error);
  }
}
