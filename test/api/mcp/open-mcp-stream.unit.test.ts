import { expect, test } from "vitest";
import { openMcpStream } from "@/lib/agents/mcp/open-mcp-stream";

const HEADERS = { "content-type": "text/event-stream", connection: "keep-alive" };
const MESSAGE = new TextEncoder().encode(`data: ${"x".repeat(64 * 1024)}\n\n`);

const streamed = async (body: ReadableStream) => new Response(body, { headers: HEADERS });

test("sends the first byte of a stream at once, and passes on all others", async () => {
  let say = (_text: string) => {};
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => void (say = (text) => controller.enqueue(new TextEncoder().encode(text))),
  });
  const answer = await openMcpStream(streamed(body));
  expect(answer.headers.get("connection")).toBeNull();
  const reader = answer.body!.getReader();
  const next = async () => new TextDecoder().decode((await reader.read()).value);
  expect(await next()).toBe(": open\n\n");
  say("data: 1\n\n");
  expect(await next()).toBe("data: 1\n\n");
  await reader.cancel();
});

test("disconnects a client that does not read after 1 MiB, and cancels the source", async () => {
  let sent = 0;
  let over = () => {};
  const ended = new Promise<void>((resolve) => (over = resolve));
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      sent += MESSAGE.byteLength;
      controller.enqueue(MESSAGE);
    },
  });
  const answer = await openMcpStream(streamed(body), over);
  await ended;
  expect(sent).toBeGreaterThan(1024 * 1024);
  expect(sent).toBeLessThan(1.3 * 1024 * 1024);
  await expect(answer.text()).rejects.toThrow("The client does not read the stream.");
});

test("cancels the source when the client leaves, and passes on a response that is no stream", async () => {
  let cancelled = 0;
  let over = 0;
  const body = new ReadableStream<Uint8Array>({ cancel: () => void (cancelled += 1) });
  const answer = await openMcpStream(streamed(body), () => void (over += 1));
  await answer.body!.cancel();
  expect([cancelled, over]).toEqual([1, 1]);
  const plain = await openMcpStream(Promise.resolve(Response.json({ a: 1 }, { status: 404 })), () => void (over += 1));
  expect([plain.status, await plain.json(), over]).toEqual([404, { a: 1 }, 2]);
});

test("ends the work for a stream when its answer fails", async () => {
  let over = 0;
  const failed = openMcpStream(Promise.reject(new Error("not to be made")), () => void (over += 1));
  await expect(failed).rejects.toThrow("not to be made");
  expect(over).toBe(1);
});
