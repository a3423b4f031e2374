import { once } from "node:events";
import { request as send, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { gateBodies } from "@/lib/server/front/body-gate";
import { authorize } from "@/lib/auth/people/user";
import { MAX_BODY_BYTES } from "@/lib/http/body";
import { open, raw } from "@/test/server/front/opened-front";
import { useDatabase } from "@/test/support/database";
import { ORIGIN, signIn } from "@/test/support/person";

useDatabase();

/** A front whose app says which request arrived, and how many bytes of its body. */
async function gated() {
  const arrived: string[] = [];
  const endpoint = await open(
    {},
    gateBodies(
      async (incoming, outgoing) => {
        arrived.push(`${incoming.method} ${incoming.url}`);
        let size = 0;
        for await (const chunk of incoming) size += (chunk as Buffer).byteLength;
        outgoing.end(String(size));
      },
      async () => authorize,
    ),
  );
  return { ...endpoint, arrived };
}

/** Says that a body comes, sends nothing of it, and reads the answer. */
async function announced(port: number, path: string, bytes: number, headers: Record<string, string> = {}) {
  const outgoing = send({
    port,
    host: "127.0.0.1",
    path,
    method: "POST",
    headers: { ...headers, "content-length": bytes },
  });
  outgoing.on("error", () => {});
  outgoing.flushHeaders();
  const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
  incoming.resume();
  outgoing.destroy();
  return incoming.statusCode;
}

test("a stranger's body for the admin API is refused by its headers, whatever its size and however the path is written", async () => {
  const { port, arrived } = await gated();
  const paths = [
    "/api/admin/imports",
    "/api/admin/config",
    "/api/admin/tools",
    "/api/%61dmin/tools",
    "//api//admin/tools",
  ];
  for (const path of paths)
    for (const bytes of [1, 33 * 1024 * 1024]) expect(await announced(port, path, bytes)).toBe(401);
  const chunked =
    "POST /api/admin/tools HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n1\r\nx\r\n0\r\n\r\n";
  expect(await raw(port, chunked)).toMatch(/^HTTP\/1.1 401 [^]*"code":"unauthenticated"/);
  expect(arrived).toEqual([]);
});

test("a sender without a sign-in may send 16 KiB to sign in, and no more elsewhere", async () => {
  const { url, port, arrived } = await gated();
  const form = (bytes: number) =>
    fetch(`${url}/api/auth/callback/credentials`, { method: "POST", body: "x".repeat(bytes) });
  expect(await (await form(16 * 1024)).text()).toBe("16384");
  expect([(await form(16 * 1024 + 1)).status, await announced(port, "/sign-in", 16 * 1024 + 1)]).toEqual([413, 413]);
  expect(arrived).toHaveLength(1);
});

test("a signed-in person may send what the route takes: 1 MiB, a document of 32 MiB on two routes", async () => {
  const { url, port } = await gated();
  const { cookie } = await signIn("editor");
  const headers = { cookie, origin: ORIGIN };
  const sent = async (path: string, bytes: number, method = "POST") => {
    const request = { method, headers, body: new Uint8Array(bytes) };
    const answer = await fetch(url + path, request);
    return answer.status === 200 ? Number(await answer.text()) : answer.status;
  };
  expect(await sent("/api/admin/tools", MAX_BODY_BYTES)).toBe(MAX_BODY_BYTES);
  expect(await sent("/api/admin/imports", 3 * MAX_BODY_BYTES)).toBe(3 * MAX_BODY_BYTES);
  expect(await sent("/api/admin/config", 3 * MAX_BODY_BYTES, "PUT")).toBe(3 * MAX_BODY_BYTES);
  for (const path of ["/api/admin/tools", "/api/admin/config/example", "/api/admin/imports/1/apply"])
    expect(await announced(port, path, MAX_BODY_BYTES + 1, headers)).toBe(413);
  expect(await announced(port, "/api/admin/imports", 32 * MAX_BODY_BYTES + 1, headers)).toBe(413);
  expect(await announced(port, "/api/admin/imports", 1, { cookie, origin: "https://evil.example" })).toBe(403);
  const auditor = { cookie: (await signIn("auditor")).cookie, origin: ORIGIN };
  expect(await announced(port, "/api/admin/imports", 2 * MAX_BODY_BYTES, auditor)).toBe(403);
});

test("a body without a length is cut one byte after what its route takes", async () => {
  const { port } = await gated();
  const { cookie } = await signIn("editor");
  const outgoing = send({
    port,
    host: "127.0.0.1",
    path: "/api/admin/tools",
    method: "POST",
    headers: { cookie, origin: ORIGIN },
  });
  outgoing.on("error", () => {});
  const answered = once(outgoing, "response") as Promise<[IncomingMessage]>;
  for (let part = 0; part < 40; part += 1) outgoing.write(Buffer.alloc(64 * 1024));
  outgoing.end();
  const [incoming] = await answered;
  let text = "";
  for await (const chunk of incoming) text += String(chunk);
  expect(text).toBe(String(MAX_BODY_BYTES + 1));
});

test("bodies in flight share 128 MiB: the next is refused until one of them ends", async () => {
  const { port, arrived } = await gated();
  const { cookie } = await signIn("editor");
  const bytes = 32 * MAX_BODY_BYTES;
  const head = `POST /api/admin/imports HTTP/1.1\r\nHost: a\r\nCookie: ${cookie}\r\nOrigin: ${ORIGIN}\r\nContent-Length: ${bytes}\r\n\r\n`;
  const held = Array.from({ length: 4 }, () => connect(port, "127.0.0.1"));
  for (const socket of held) socket.write(head);
  await expect.poll(() => arrived.length).toBe(4);
  const headers = { cookie, origin: ORIGIN };
  expect(await announced(port, "/api/admin/imports", bytes, headers)).toBe(503);
  expect(await announced(port, "/api/admin/tools", 1, headers)).toBe(503);
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
  held[0]?.destroy();
  // The server hears of the end a moment later.
  const small = async () =>
    (await fetch(`http://127.0.0.1:${port}/api/admin/tools`, { method: "POST", headers, body: "x" })).status;
  await expect.poll(small).toBe(200);
  for (const socket of held) socket.destroy();
});

test("a sender who disconnects during the check reserves nothing", async () => {
  const checks: (() => void)[] = [];
  const { port, server } = await open(
    {},
    gateBodies(
      async (incoming, outgoing) => {
        await once(incoming.resume(), "close");
        outgoing.end();
      },
      async () => () => new Promise<void>((resolve) => checks.push(resolve)),
    ),
  );
  const held = Array.from({ length: 4 }, () => connect(port, "127.0.0.1"));
  for (const socket of held)
    socket.write(`PUT /api/admin/config HTTP/1.1\r\nHost: a\r\nContent-Length: ${32 * MAX_BODY_BYTES}\r\n\r\n`);
  await expect.poll(() => checks.length).toBe(4);
  for (const socket of held) socket.destroy();
  const connections = () => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));
  await expect.poll(connections).toBe(0);
  for (const pass of checks) pass();
  const small = fetch(`http://127.0.0.1:${port}/api/admin/tools`, { method: "POST", body: "x" });
  await expect.poll(() => checks.length).toBe(5);
  checks[4]?.();
  expect((await small).status).toBe(200);
});
