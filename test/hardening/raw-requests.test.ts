import * as fc from "fast-check";
import { once } from "node:events";
import type { Server } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createFront, drain, answerNotFound } from "@/lib/server/front/front";
import { findAgentRoute } from "@/lib/server/routes";
import { closeDatabase } from "@/lib/store/db/database";
import { closeSnapshot } from "@/lib/store/snapshot/snapshot";
import { keyOf, save, supportDocument } from "@/test/api/agents-world";
import { useDatabase } from "@/test/support/database";

useDatabase();

// Sends raw bytes to the agents' server, which no library would send.

let server: Server;
let port: number;
let key: string;

beforeAll(async () => {
  await save(supportDocument());
  key = await keyOf("reader");
  const soon = { headersTimeout: 1_000, requestTimeout: 2_000, connectionsCheckingInterval: 100 };
  server = createFront(findAgentRoute, answerNotFound, soon);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  port = (server.address() as AddressInfo).port;
});
afterAll(async () => {
  await drain(server, 0);
  closeSnapshot();
  await closeDatabase();
});

/** Sends bytes, and leaves or waits; the statuses of all answers until the connection was closed. Each refusal is a problem document. */
async function statuses(bytes: string | Buffer, and: "leave" | "wait" = "wait"): Promise<number[]> {
  const socket = connect(port, "127.0.0.1", () => void (and === "leave" ? socket.end(bytes) : socket.write(bytes)));
  let received = "";
  socket.on("data", (data) => (received += data.toString("latin1")));
  socket.on("error", () => {});
  await once(socket, "close");
  const answered = [...received.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));
  const problems = received.match(/^content-type: application\/problem\+json\r$/gim) ?? [];
  expect(problems).toHaveLength(answered.filter((status) => status >= 400).length);
  return answered;
}

const BODY = JSON.stringify({ tool_id: "support:get_order", arguments: { order_id: "O-5001" } });

function message(start: string, headers: readonly string[] = [], body = ""): string {
  const own = [`host: 127.0.0.1:${port}`, `authorization: Bearer ${key}`, "connection: close"];
  return [start, ...own, ...headers, "", body].join("\r\n");
}

const json = "content-type: application/json";
const call = (headers: readonly string[], body = BODY) =>
  message("POST /api/agents/tools/call HTTP/1.1", [json, ...headers], body);
const list = (headers: readonly string[]) => message("GET /api/agents/tools HTTP/1.1", headers);
const length = `content-length: ${Buffer.byteLength(BODY)}`;

/** The bytes, and the allowed statuses, one for each request in them. */
const HOSTILE: Readonly<Record<string, readonly [bytes: () => string, expected: readonly number[]]>> = {
  "two lengths": [() => call([length, "content-length: 5"]), [400]],
  "a length and chunks": [() => call([length, "transfer-encoding: chunked"]), [400]],
  "chunks that are none": [() => call(["transfer-encoding: chunked"], "zz\r\nhello\r\n0\r\n\r\n"), [400]],
  "a coding that nobody speaks": [() => call(["transfer-encoding: gzip, chunked"]), [400, 501]],
  "a negative length": [() => call(["content-length: -1"]), [400]],
  "a length beyond all": [() => call(["content-length: 99999999999"]), [400, 413]],
  "a body that breaks off": [() => call(["content-length: 5000"]), [400, 408]],
  "a second request behind the body": [
    () => call([length], `${BODY}GET /api/health HTTP/1.1\r\nhost: x\r\n\r\n`),
    [200, 400],
  ],
  "a line feed in a header": [() => list(["x-a: b\nx-b: c"]), [200, 400]],
  "a bare carriage return in a header": [() => list(["x-a: b\rset-cookie: a=b"]), [400]],
  "NUL in a header": [() => list(["x-a: \0"]), [400]],
  "a space before the colon": [() => list(["x-a : b"]), [400]],
  "a folded header": [() => list(["x-a: b\r\n c"]), [200, 400]],
  "a header of 64 KiB": [() => list([`x-a: ${"a".repeat(65_536)}`]), [431]],
  "ten thousand headers": [() => list(Array.from({ length: 10_000 }, (_, at) => `x-${at}: a`)), [200, 431]],
  "no host": [() => "GET /api/health HTTP/1.1\r\nconnection: close\r\n\r\n", [400]],
  "two hosts": [() => list(["host: evil.example"]), [200, 400]],
  "a method of its own": [() => message("BREW /api/agents/tools HTTP/1.1"), [400, 405]],
  "a tunnel": [() => message("CONNECT 127.0.0.1:22 HTTP/1.1"), []],
  "another protocol": [() => message("GET /api/agents/tools HTTP/9.9"), [400, 505]],
  "no protocol": [() => "GET /api/agents/tools\r\n\r\n", [400, 401]],
  "an address with NUL": [() => message("GET /api/agents/tools?search=a\0b HTTP/1.1"), [400]],
  "an address with bytes of no character": [() => message("GET /api/agents/calls/%ff%fe HTTP/1.1"), [404]],
  "a path out of its folder": [() => message("GET /api/agents/../../etc/passwd HTTP/1.1"), [404]],
  "a path in a path": [() => message("GET /api/agents/calls/..%2f..%2fadmin HTTP/1.1"), [404]],
  "a whole address of another host": [() => message("GET http://evil.example/api/health HTTP/1.1"), [200, 400]],
  "a credential in the address": [
    () => `GET /api/agents/tools?access_token=${key} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`,
    [401],
  ],
  "two credentials": [() => list([`authorization: Bearer ${key}x`]), [200, 400, 401]],
  "the beginning of TLS": [() => "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", [400]],
};

test.each(Object.entries(HOSTILE))("%s is refused or harmless", async (_what, [bytes, expected]) => {
  const answered = await statuses(bytes());
  expect(answered.length).toBe(Math.min(expected.length, 1));
  expect(expected).toEqual(expect.arrayContaining(answered));
  expect(await statuses(message("GET /api/health HTTP/1.1"))).toEqual([200]);
});

test("a call with any changed byte is answered without a failure of ours, and the server continues", async () => {
  const whole = Buffer.from(call([length]));
  const change = fc.record({
    at: fc.nat(whole.length - 1),
    cut: fc.nat(3),
    put: fc.uint8Array({ maxLength: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
      let bytes = whole;
      for (const { at, cut, put } of changes)
        bytes = Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + cut)]);
      for (const status of await statuses(bytes, "leave")) expect([500, 502, 503, 504]).not.toContain(status);
    }),
    { seed: 20_261_122, numRuns: 150 },
  );
  expect(await statuses(message("GET /api/health HTTP/1.1"))).toEqual([200]);
});
