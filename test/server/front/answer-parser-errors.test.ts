import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { answerNotFound } from "@/lib/server/front/front";
import type { Handler } from "@/lib/http/route";
import { open, raw } from "@/test/server/front/opened-front";

const HOSTLESS = "HTTP/1.1\r\nConnection: close\r\n";
const GET_A = "GET /a HTTP/1.1\r\nHost: a\r\n";

test.each([
  ["bytes that are no HTTP", "\0\0\0\r\n\r\n", 400, "invalid_request"],
  ["a method that Node does not know", `BREW /a ${HOSTLESS}\r\n`, 400, "invalid_request"],
  ["a request to no host", `GET /a ${HOSTLESS}\r\n`, 400, "invalid_request"],
  ["chunks that are none", `${GET_A}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 400, "invalid_request"],
  ["headers that do not come", `${GET_A}X-`, 408, "request_timeout"],
  ["a body that does not come", `${GET_A}Content-Length: 5\r\n\r\nabc`, 408, "request_timeout"],
  [
    "chunks with long extensions",
    `${GET_A}Transfer-Encoding: chunked\r\n\r\n1;${"a".repeat(20_000)}\r\n`,
    413,
    "payload_too_large",
  ],
  ["an expectation", `${GET_A}Connection: close\r\nExpect: a-miracle\r\n\r\n`, 417, "expectation_failed"],
  ["headers of 64 KiB", `${GET_A}X-A: ${"a".repeat(65_536)}\r\n\r\n`, 431, "headers_too_large"],
])("%s: refused by a problem document, and the next request is served", async (_what, text, status, code) => {
  const waits: Handler = async (request) => new Response(await request.arrayBuffer());
  const soon = { headersTimeout: 200, requestTimeout: 400, connectionsCheckingInterval: 50 };
  const { url, port } = await open({ "/a": { GET: waits } }, answerNotFound, soon);
  const [head = "", body = ""] = (await raw(port, text)).split("\r\n\r\n");
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [A-Z]`));
  expect(head).toMatch(/^content-type: application\/problem\+json$/im);
  expect(head).toMatch(/^connection: close$/im);
  expect(head).toContain(`content-length: ${Buffer.byteLength(body)}`);
  const { request_id: requestId, ...problem } = JSON.parse(body) as Record<string, string>;
  expect(problem).toMatchObject({ status, code, type: `urn:quartermaster:error:${code}` });
  expect(head).toContain(`x-request-id: ${requestId}`);
  expect((await fetch(`${url}/a`)).status).toBe(200);
});

test.each([
  ["has begun", `${GET_A}\r\n`],
  ["has begun and another waits behind it", `${GET_A}\r\n${GET_A}\r\n`],
])("where an answer %s, bytes that cannot be read end the connection and put nothing into it", async (_what, asked) => {
  const begun = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode("begun")) });
  const { port } = await open({ "/a": { GET: async () => new Response(begun) } });
  const socket = connect(port, "127.0.0.1", () => socket.write(asked));
  let received = "";
  socket.on("error", () => {});
  socket.on("data", (data) => {
    received += String(data);
    if (received.includes("begun")) socket.write("\0\0\0\r\n\r\n");
  });
  await once(socket, "close");
  expect(received.match(/HTTP\/1\.1/g)).toHaveLength(1);
  expect(received).not.toContain("problem");
});
