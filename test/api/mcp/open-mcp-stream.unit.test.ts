import { expect, test } from "vitest";
import { openMcpStream } from "@/lib/agents/mcp/open-mcp-stream";

const HEADERS = { "content-type": "text/event-stream", connection: "keep-alive" };
const MESSAGE = new TextEncoder().encode(`data: ${"x".repeat(64 * 1024)}\n\n`);

const streamed = async (body: ReadableStream) => new Response(body, { headers: HEADERS });

test("sends a comment before the first message, then every message", async () => {
  let send = (_text: string) => {};
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => void (send = (text) => controller.enqueue(new TextEncoder().encode(text))),
  });
  const answer = await openMcpStream(streamed(body));
  expect(answer.headers.get("connection")).toBeNull();
  const reader = answer.body!.getReader();
  const next = async () => new TextDecoder().decode((await reader.read()).value);
  expect(await next()).toBe(": open\n\n");
  send("data: 1\n\n");
  expect(await next()).toBe("data: 1\n\n");
  await reader.cancel();
});

test("ends the stream of a client that has not read 1 MiB, and cancels the source", async () => {
  let sent = 0;
  let onEnd = () => {};
  const ended = new Promise<void>((resolve) => (onEnd = resolve));
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      sent += MESSAGE.byteLength;
      controller.enqueue(MESSAGE);
    },
  });
  const answer = await openMcpStream(streamed(body), onEnd);
  await ended;
  expect(sent).toBeGreaterThan(1024 * 1024);
  expect(sent).toBeLessThan(1.3 * 1024 * 1024);
  await expect(answer.text()).rejects.toThrow("The client does not read the stream.");
});

test("cancels the source when the client disconnects, and returns a response that is not a stream", async () => {
  let cancelled = 0;
  let onEndCalls = 0;
  const body = new ReadableStream<Uint8Array>({ cancel: () => void (cancelled += 1) });
  const answer = await openMcpStream(streamed(body), () => void (onEndCalls += 1));
  await answer.body!.cancel();
  expect([cancelled, onEndCalls]).toEqual([1, 1]);
  const plain = await openMcpStream(
    Promise.resolve(Response.json({ a: 1 }, { status: 404 })),
    () => void (onEndCalls += 1),
  );
  expect([plain.status, await plain.json(), onEndCalls]).toEqual([404, { a: 1 }, 2]);
});

test("calls onEnd when the response fails", async () => {
  let onEndCalls = 0;
  const failed = openMcpStream(Promise.reject(new Error("not to be made")), () => void (onEndCalls += 1));
  await expect(failed).rejects.toThrow("not to be made");
  expect(onEndCalls).toBe(1);
});
