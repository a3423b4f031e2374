import { once } from "node:events";
import { connect, createServer as createNet } from "node:net";
import { Agent, get, request as send, type IncomingMessage } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { drain, answerNotFound } from "@/lib/server/front/front";
import { eventStream } from "@/lib/http/event-stream";
import type { Handler } from "@/lib/http/route";
import { open, raw } from "@/test/server/front/opened-front";

const hello: Handler = async () => new Response("hello");

test("a route gets decoded parameters; a path that cannot be decoded is a 404", async () => {
  const { url } = await open({
    "/a/[id]": { GET: async (_request, context) => Response.json(await context?.params) },
    "/a/fixed": { GET: hello },
  });
  expect(await (await fetch(`${url}/a/x%20%C3%A9?id=other`)).json()).toEqual({ id: "x é" });
  expect(await (await fetch(`${url}/a/fixed`)).text()).toBe("hello");
  for (const path of ["/a/%ff", "/a/", "/a/b/c", "/a"]) {
    const response = await fetch(url + path);
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
  }
});

test("a request outside the table is passed on unchanged, with only the peer's address in `x-forwarded-for`", async () => {
  const { url } = await open({}, async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { method, url: target, headers } = incoming;
    outgoing.end(JSON.stringify([method, target, headers["x-forwarded-for"], Buffer.concat(chunks).toString()]));
  });
  const forwarded = { "x-forwarded-for": "6.6.6.6" };
  const answer = await fetch(`${url}/p?q=1`, { method: "PUT", body: "text", headers: forwarded });
  expect(await answer.json()).toEqual(["PUT", "/p?q=1", "127.0.0.1", "text"]);
  expect(await (await fetch(`${url}/p`)).json()).toEqual(["GET", "/p", "127.0.0.1", ""]);
});

test("requests that a client sends ahead are handled one after the other, and none once its connection is closed", async () => {
  const begun: string[] = [];
  let answer = () => {};
  const { port, url } = await open({}, async (incoming, outgoing) => {
    begun.push(incoming.url ?? "");
    answer = () => void outgoing.end("ok");
  });
  const socket = connect(port, "127.0.0.1");
  socket.write(["/1", "/2", "/3"].map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join(""));
  await expect.poll(() => begun).toEqual(["/1"]);
  answer();
  await expect.poll(() => begun).toEqual(["/1", "/2"]);
  socket.destroy();
  const other = fetch(`${url}/4`);
  await expect.poll(() => begun).toEqual(["/1", "/2", "/4"]);
  answer();
  expect(await (await other).text()).toBe("ok");
});

test("an unknown path below /api/agents/ is a problem document, and is not forwarded to the app", async () => {
  const { url } = await open(
    { "/api/agents/a": { GET: hello } },
    async (_incoming, outgoing) => void outgoing.end("page"),
  );
  const nowhere = await fetch(`${url}/api/agents/b`);
  expect([nowhere.status, await nowhere.json()]).toMatchObject([404, { code: "not_found" }]);
  expect(await (await fetch(`${url}/api/agents/a`)).text()).toBe("hello");
  expect(await (await fetch(`${url}/api/agent`)).text()).toBe("page");
});

test("HEAD is GET without a body; another method is refused with those that there are", async () => {
  const { url, port } = await open({ "/a": { GET: hello, PATCH: hello } });
  const head = await fetch(`${url}/a`, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
  const other = await fetch(`${url}/a`, { method: "DELETE" });
  expect([other.status, other.headers.get("allow")]).toEqual([405, "OPTIONS, HEAD, GET, PATCH"]);
  expect(other.headers.get("x-request-id")).not.toBeNull();
  expect(other.headers.get("content-type")).toBe("application/problem+json");
  expect(await other.json()).toMatchObject({
    code: "method_not_allowed",
    detail: "Use one of OPTIONS, HEAD, GET, PATCH.",
  });
  expect((await fetch(`${url}/a`, { method: "OPTIONS" })).status).toBe(204);
  expect(await raw(port, "constructor /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")).toMatch(/^HTTP\/1.1 400 /);
});

test("bodies stream both ways", async () => {
  const { port } = await open({
    "/echo": {
      POST: async (request) => {
        const reader = (request.body ?? new ReadableStream<Uint8Array>()).getReader();
        const echoed = new ReadableStream<Uint8Array>({
          async pull(controller) {
            const { done, value } = await reader.read();
            if (done) controller.close();
            else controller.enqueue(value);
          },
        });
        return new Response(echoed);
      },
    },
  });
  const outgoing = send({ port, host: "127.0.0.1", path: "/echo", method: "POST" });
  outgoing.write("first");
  const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
  expect(String((await once(incoming, "data"))[0])).toBe("first");
  // Only after the first came back is the second sent.
  outgoing.end("second");
  expect(String((await once(incoming, "data"))[0])).toBe("second");
});

test("a client that leaves aborts the request's signal and cancels a stream", async () => {
  const left: string[] = [];
  let settle = () => {};
  const both = new Promise<void>((resolve) => (settle = () => void (left.length === 2 && resolve())));
  const { url } = await open({
    "/waits": {
      GET: (request) =>
        new Promise((resolve) => {
          request.signal.addEventListener("abort", () => {
            left.push("waiting");
            settle();
            resolve(new Response(null));
          });
        }),
    },
    "/streams": {
      GET: async () =>
        eventStream(
          ({ closed: gone }) =>
            new Promise((resolve) => {
              gone.addEventListener("abort", () => {
                left.push("streaming");
                settle();
                resolve();
              });
            }),
        ),
    },
  });
  const caller = new AbortController();
  const waiting = fetch(`${url}/waits`, { signal: caller.signal }).catch(() => null);
  const stream = await fetch(`${url}/streams`, { signal: caller.signal });
  expect(new TextDecoder().decode((await stream.body?.getReader().read())?.value)).toBe(": open\n\n");
  caller.abort();
  await Promise.all([waiting, both]);
  expect(left.toSorted()).toEqual(["streaming", "waiting"]);
});

test("a client that does not read pauses the stream instead of filling memory", async () => {
  const chunk = new Uint8Array(64 * 1024);
  let made = 0;
  const { port } = await open({
    "/endless": {
      GET: async () =>
        new Response(
          new ReadableStream({
            pull(controller) {
              made += 1;
              controller.enqueue(chunk);
            },
          }),
        ),
    },
  });
  const outgoing = send({ port, host: "127.0.0.1", path: "/endless" }).end();
  const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
  incoming.pause();
  let before = -1;
  while (before !== made) {
    before = made;
    await delay(200);
  }
  // What the sockets of both sides hold, and no more.
  expect(made * chunk.byteLength).toBeLessThan(64 * 1024 * 1024);
  incoming.destroy();
});

test("a handler that fails is answered without a word about why, and the next request is served", async () => {
  const broken = new ReadableStream({
    pull(controller) {
      controller.enqueue(new Uint8Array(4));
      controller.error(new Error("secret"));
    },
  });
  const { url, port } = await open({
    "/throws": { GET: () => Promise.reject(new Error("secret")) },
    "/breaks": { GET: async () => new Response(broken) },
    "/fine": { GET: hello },
  });
  const thrown = await fetch(`${url}/throws`);
  expect(thrown.status).toBe(500);
  expect(await thrown.text()).not.toContain("secret");
  await expect(fetch(`${url}/breaks`).then((response) => response.text())).rejects.toThrow(/terminated|fetch failed/);
  const bothLengths = "POST /fine HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (const text of ["GET /fine HTTP/1.1\r\n\r\n", "\0\0\0\r\n\r\n", bothLengths])
    expect(await raw(port, text)).toMatch(/^HTTP\/1.1 400 /);
  const whole = "GET http://elsewhere/fine HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
  expect(await raw(port, whole)).toMatch(/^HTTP\/1.1 200 [^]*hello/);
  expect((await fetch(`${url}/fine`)).status).toBe(200);
});

test("headers have 10 s and the body 30 s; a slower client gets a 408", async () => {
  const { server } = await open({});
  expect([server.headersTimeout, server.requestTimeout]).toEqual([10_000, 30_000]);
  const quick = await open({}, answerNotFound, {
    headersTimeout: 100,
    requestTimeout: 200,
    connectionsCheckingInterval: 50,
  });
  expect(await raw(quick.port, "GET / HTTP/1.1\r\nHost: a\r\nX-")).toMatch(/^HTTP\/1.1 408 /);
});

test("an idle connection has 5 s for its next request, then it is closed", async () => {
  const { server } = await open({});
  expect(server.keepAliveTimeout).toBe(5_000);
  const quick = await open({ "/a": { GET: hello } }, answerNotFound, { keepAliveTimeout: 20 });
  // `raw` ends when the server has closed the connection.
  const received = await raw(quick.port, "GET /a HTTP/1.1\r\nHost: a\r\n\r\n");
  expect(received).toMatch(/^HTTP\/1.1 200 /);
  expect(received).toMatch(/^connection: keep-alive\r$/im);
});

test("draining lets requests in flight end although other work fails, accepts no more, and cuts the rest at the end", async () => {
  let answer = () => {};
  const asked = new Promise<void>((resolve) => (answer = resolve));
  let finish = (_response: Response) => {};
  const { server, url, port } = await open({
    "/slow": {
      GET: () => {
        answer();
        return new Promise((resolve) => (finish = resolve));
      },
    },
    "/never": {
      GET: async () =>
        new Response(new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1)) })),
    },
  });
  const slow = fetch(`${url}/slow`);
  const never = await fetch(`${url}/never`);
  await asked;
  const drained = drain(server, 1_000, Promise.reject(new Error("deadlock detected")));
  await expect(fetch(`${url}/slow`)).rejects.toThrow("fetch failed");
  finish(new Response("done"));
  expect(await (await slow).text()).toBe("done");
  await drained;
  await expect(never.text()).rejects.toThrow("terminated");
  // The port is free again.
  const next = createNet().listen(port, "127.0.0.1");
  await once(next, "listening");
  next.close();
});

test("draining closes a kept connection after its present answer, so that its client connects elsewhere", async () => {
  let end = () => {};
  const { server, port } = await open({
    "/stream": {
      GET: async () =>
        new Response(
          new ReadableStream({
            start: (controller) => {
              controller.enqueue(new Uint8Array(1));
              end = () => controller.close();
            },
          }),
        ),
    },
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = async () => {
    const [answer] = (await once(get({ port, host: "127.0.0.1", path: "/stream", agent }), "response")) as [
      IncomingMessage,
    ];
    return answer;
  };
  const first = await ask();
  expect(first.headers.connection).toBe("keep-alive");
  first.resume();
  const drained = drain(server, 5_000);
  const second = ask();
  end();
  await expect(second).rejects.toThrow(/ECONNREFUSED|ECONNRESET|hang up/);
  await drained;
});
