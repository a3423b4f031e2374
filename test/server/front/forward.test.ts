import { once } from "node:events";
import { createServer, request as send, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { onTestFinished, expect, test } from "vitest";
import { forwardTo, forwardUpgrades, type AppAddress } from "@/lib/server/front/forward";
import { open, raw } from "@/test/server/front/opened-front";

const SECRET = "the secret of this test, long enough";

/** An app on a free port, and a front that forwards to it. */
async function forwarded(app: RequestListener) {
  const server = await listening(createServer({ keepAliveTimeout: 65_000 }, app));
  const at: { app: AppAddress | null } = { app: { port: portOf(server), secret: SECRET } };
  return {
    ...(await open(
      {},
      forwardTo(() => at.app),
    )),
    app: server,
    at,
  };
}

async function listening(server: Server): Promise<Server> {
  server.listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, "listening");
  return server;
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

const echo: RequestListener = (incoming, outgoing) => {
  outgoing.setHeader("content-type", "application/json");
  outgoing.end(JSON.stringify({ method: incoming.method, url: incoming.url, headers: incoming.headers }));
};

test("forwards the request unchanged and adds the secret and the peer address, which no client can set", async () => {
  const { port } = await forwarded(echo);
  const outgoing = send({
    port,
    host: "127.0.0.1",
    path: "/a%20b?c=%2F",
    method: "PUT",
    headers: {
      host: "tools.example.com",
      cookie: "a=1; b=2",
      "x-gateway-secret": "forged",
      "x-gateway-own": "1",
      "x-forwarded-for": "6.6.6.6",
      connection: "keep-alive, x-forwarded-for, cookie",
      expect: "100-continue",
      "content-length": 4,
    },
  });
  outgoing.end("text");
  const [answer] = (await once(outgoing, "response")) as [IncomingMessage];
  let text = "";
  for await (const chunk of answer) text += String(chunk);
  const { method, url, headers } = JSON.parse(text) as { method: string; url: string; headers: Record<string, string> };
  expect([method, url]).toEqual(["PUT", "/a%20b?c=%2F"]);
  expect(headers).toMatchObject({
    host: "tools.example.com",
    "x-gateway-secret": SECRET,
    "x-forwarded-for": "127.0.0.1",
    "content-length": "4",
  });
  // Headers that the client lists in `Connection` are not forwarded.
  expect([headers["expect"], headers["cookie"]]).toEqual([undefined, undefined]);
  // It marks the gateway's own requests.
  expect(headers["x-gateway-own"]).toBeUndefined();
  const whole = `GET http://tools.example.com/p?q HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
  expect(await raw(port, whole)).toContain('"url":"/p?q"');
});

test.each([
  ["http://x?/api/metrics", "/?/api/metrics"],
  ["http://x", "/"],
  ["http://x//p?q", "//p?q"],
  ["http://x/%zz?/%zz", "/%25zz?/%zz"],
  ["/page#/api/metrics", "/page"],
  ["/page?q#x", "/page?q"],
])("forwards the path of %s by which the gateway has decided", async (target, url) => {
  const { port } = await forwarded(echo);
  expect(await raw(port, `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)).toContain(`"url":"${url}"`);
});

/** A request in the body of a request: an app that loses the body's length would answer it as one more. */
const HIDDEN = "DELETE /api/admin/policies/x HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n";

/** An app that answers with the address and the body of each request, and notes what it received. */
async function noted() {
  const received: string[] = [];
  const forwarding = await forwarded((incoming, outgoing) => {
    let body = "";
    incoming.on("data", (chunk) => (body += String(chunk)));
    incoming.on("end", () => {
      received.push(`${incoming.method} ${incoming.url} ${body.length}`);
      outgoing.end(`answer of ${incoming.url}`);
    });
  });
  return { ...forwarding, received };
}

test.each([
  ["GET", "content-length"],
  ["GET", "keep-alive, Content-Length"],
  ["HEAD", "keep-alive\r\nConnection: content-length"],
  ["DELETE", "content-length ,cookie"],
  ["OPTIONS", "\tcontent-length\t"],
  ["POST", "content-length"],
  ["GET", "transfer-encoding"],
  ["GET", "Host"],
])("%s with `Connection: %s` is refused, and the app sees neither it nor its body", async (method, connection) => {
  const { port, url, received } = await noted();
  const hiding = `${method} /sign-in HTTP/1.1\r\nHost: a\r\nConnection: ${connection}\r\nContent-Length: ${HIDDEN.length}\r\n\r\n`;
  const next = "GET /next HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
  const answers = await raw(port, hiding + HIDDEN + next);
  // Another person's request goes over the same connection to the app.
  expect(await (await fetch(`${url}/other`)).text()).toBe("answer of /other");
  expect(received).toEqual(["GET /next 0", "GET /other 0"]);
  expect(answers).toMatch(/^HTTP\/1.1 400 /);
});

test.each(["GET", "HEAD", "DELETE", "OPTIONS", "POST"])(
  "a request in the body of a %s request reaches the app as a body, whether its length is stated or it is chunked",
  async (method) => {
    const { port, url, received } = await noted();
    const { length } = HIDDEN;
    const head = `${method} /page HTTP/1.1\r\nHost: a\r\nConnection: close\r\n`;
    const chunked = `${length.toString(16)}\r\n${HIDDEN}\r\n0\r\n\r\n`;
    await raw(port, `${head}Content-Length: ${length}\r\n\r\n${HIDDEN}`);
    await raw(port, `${head}Transfer-Encoding: chunked\r\n\r\n${chunked}`);
    expect(await (await fetch(`${url}/other`)).text()).toBe("answer of /other");
    expect(received).toEqual([`${method} /page ${length}`, `${method} /page ${length}`, "GET /other 0"]);
  },
);

test("passes on an answer's status, repeated headers and encoding, without headers of the app's connection", async () => {
  const { port } = await forwarded((_incoming, outgoing) => {
    outgoing.writeHead(201, "Made", [
      ["set-cookie", "a=1"],
      ["set-cookie", "b=2"],
      ["content-encoding", "gzip"],
      ["keep-alive", "timeout=65"],
    ] as never);
    outgoing.end("bytes");
  });
  const received = await raw(port, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  expect(received).toMatch(/^HTTP\/1.1 201 Made\r\n/);
  expect(received).toMatch(/set-cookie: a=1\r\nset-cookie: b=2\r\ncontent-encoding: gzip\r\n/);
  expect(received).not.toMatch(/timeout=65/);
});

test("streams bytes in both directions", async () => {
  const { port } = await forwarded((incoming, outgoing) => void incoming.pipe(outgoing));
  const outgoing = send({ port, host: "127.0.0.1", path: "/echo", method: "POST" });
  outgoing.write("first");
  const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
  expect(String((await once(incoming, "data"))[0])).toBe("first");
  outgoing.end("second");
  expect(String((await once(incoming, "data"))[0])).toBe("second");
});

test("ends the app's request when the client leaves, before an answer and during one", async () => {
  const ended: string[] = [];
  const { url } = await forwarded((incoming, outgoing) => {
    outgoing.once("close", () => ended.push(incoming.url ?? ""));
    if (incoming.url === "/during") outgoing.write("begun");
  });
  const caller = new AbortController();
  const before = fetch(`${url}/before`, { signal: caller.signal }).catch(() => null);
  const during = await fetch(`${url}/during`, { signal: caller.signal });
  expect(new TextDecoder().decode((await during.body?.getReader().read())?.value)).toBe("begun");
  caller.abort();
  await before;
  await expect.poll(() => ended.toSorted()).toEqual(["/before", "/during"]);
});

test("breaks an answer off when the app does, answers 503 before an answer, and never sends a request twice", async () => {
  const asked: string[] = [];
  const { url, at } = await forwarded((incoming, outgoing) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    if (incoming.url === "/half") outgoing.write("half", () => incoming.socket.destroy());
    else incoming.socket.destroy();
  });
  const half = await fetch(`${url}/half`);
  await expect(half.text()).rejects.toThrow("terminated");
  for (const method of ["GET", "POST"]) {
    const answer = await fetch(`${url}/api/admin/tools`, { method });
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "2"]);
    expect(await answer.json()).toMatchObject({ code: "overloaded", retryable: true });
  }
  expect(asked).toEqual(["GET /half", "GET /api/admin/tools", "POST /api/admin/tools"]);
  at.app = null;
  const page = await fetch(url, { headers: { accept: "text/html" } });
  expect([page.status, page.headers.get("content-type")]).toEqual([503, "text/html; charset=utf-8"]);
  expect(await page.text()).toContain("This page reloads by itself.");
  expect((await fetch(url, { method: "POST", headers: { accept: "text/html" } })).headers.get("content-type")).toBe(
    "application/problem+json",
  );
  expect(asked).toHaveLength(3);
});

test("reuses connections to the app, and closes them before the app does", async () => {
  const sockets = new Set<Socket>();
  const { url, app } = await forwarded((_incoming, outgoing) => void outgoing.end());
  app.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  for (let time = 0; time < 5; time += 1) expect((await fetch(url)).status).toBe(200);
  expect(sockets.size).toBe(1);
  await expect.poll(() => sockets.size, { timeout: 6_000 }).toBe(0);
  expect((await fetch(url, { method: "POST", body: "x" })).status).toBe(200);
}, 10_000);

test.each([
  "/api/%61gents/tools",
  "//api/agents/none",
  "/x/..%2fmcp",
  "/%2561pi/agents",
  "//mcp",
  "/MCP",
  "/api/./health",
  "/api/metrics#x",
  "http://x/api/metrics#?",
  "/mcp/x",
  "/oauth/token",
  "/.well-known/oauth-authorization-server",
])("%s reaches the app in no way", async (path) => {
  const asked: string[] = [];
  const { port } = await forwarded((incoming, outgoing) => {
    asked.push(incoming.url ?? "");
    outgoing.end();
  });
  const received = await raw(port, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  expect(received).toMatch(/^HTTP\/1.1 404 [^]*"code":"not_found"/);
  expect(asked).toEqual([]);
});

test.each(["/api/agent", "/mcpx", "/agents", "/docs/api/agents", "/.well-known/jwks.json"])(
  "%s is the app's",
  async (path) => {
    const { url } = await forwarded(echo);
    expect(await (await fetch(url + path)).json()).toMatchObject({ url: path });
  },
);

test("encodes a path that Next could not decode, so that it is the address of a missing page", async () => {
  const { url } = await forwarded(echo);
  const pathOf = async (path: string) => ((await (await fetch(url + path)).json()) as { url: string }).url;
  expect(await pathOf("/admin/policies/%zz%20a?q=%20")).toBe("/admin/policies/%25zz%2520a?q=%20");
  expect(await pathOf("/admin/policies/%ff")).toBe("/admin/policies/%25ff");
  expect(await pathOf("/admin/policies/100%25?q=%zz")).toBe("/admin/policies/100%25?q=%zz");
});

/** Answers as Next does: an unknown address with a page, an unknown method with an empty body, and our routes unchanged. */
const next: RequestListener = ({ url = "", method }, outgoing) => {
  if (url.startsWith("/api/ours")) outgoing.writeHead(404, { "content-type": "application/problem+json" }).end("{}");
  else if (url.startsWith("/api/method") && method === "OPTIONS")
    outgoing.writeHead(204, { allow: "OPTIONS, POST" }).end();
  else if (url.startsWith("/api/method")) outgoing.writeHead(405).end();
  else if (url.startsWith("/api/broken")) outgoing.writeHead(500).end("Internal Server Error");
  else if (url.startsWith("/api/data")) outgoing.writeHead(200, { "content-type": "text/csv" }).end("a,b");
  else outgoing.writeHead(404, { "content-type": "text/html", link: "</style.css>; rel=preload" }).end("<html></html>");
};

test.each([
  ["/api/nothing?q=1", "GET", 404, "not_found"],
  ["/api", "POST", 404, "not_found"],
  ["/api/method", "PATCH", 405, "method_not_allowed"],
  ["/api/broken", "GET", 500, "internal"],
  ["/api/admin/tools/%ff", "GET", 404, "not_found"],
  ["/api/method", "PROPFIND", 405, "method_not_allowed"],
  ["/page", "PROPFIND", 405, "method_not_allowed"],
])("what Next refuses at %s to %s is a problem document", async (path, method, status, code) => {
  const { url } = await forwarded(next);
  const answer = await fetch(url + path, { method, headers: { "x-request-id": "asked-by-a-test" } });
  expect([answer.status, answer.headers.get("content-type")]).toEqual([status, "application/problem+json"]);
  expect(await answer.json()).toMatchObject({ status, code, request_id: "asked-by-a-test" });
  expect(answer.headers.get("link")).toBeNull();
});

test.each([
  ["/api/method", { method: "PATCH", body: "a body" }, "OPTIONS, POST"],
  ["/api/method", { method: "PROPFIND" }, "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"],
])("a 405 at %s to %o says which methods there are (RFC 9110, 15.5.6)", async (path, request, allow) => {
  const { url } = await forwarded(next);
  const answer = await fetch(url + path, request);
  expect([answer.status, answer.headers.get("allow")]).toEqual([405, allow]);
});

test("passes on answers of our routes, and Next's page for a missing page", async () => {
  const { url, port } = await forwarded(next);
  expect(await (await fetch(`${url}/api/ours`)).text()).toBe("{}");
  expect(await (await fetch(`${url}/api/data`)).text()).toBe("a,b");
  const page = await fetch(`${url}/page`);
  expect([page.status, await page.text()]).toEqual([404, "<html></html>"]);
  const head = await fetch(`${url}/api/nothing`, { method: "HEAD" });
  expect([head.status, head.headers.get("content-type"), await head.text()]).toEqual([
    404,
    "application/problem+json",
    "",
  ]);
  const trace = "TRACE /page HTTP/1.1\r\nHost: a\r\nCookie: secret\r\nConnection: close\r\n\r\n";
  expect(await raw(port, trace)).toMatch(/^HTTP\/1\.1 405 (?![^]*secret)/);
});

test("in development joins upgraded connections below /_next/ with the app's, and no others", async () => {
  const app = await listening(createServer());
  app.on("upgrade", (incoming: IncomingMessage, socket: Socket) => {
    socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
    socket.write(`${String(incoming.headers["x-gateway-secret"])}\n`);
    socket.pipe(socket);
  });
  const { server, port } = await open({});
  server.on(
    "upgrade",
    forwardUpgrades(() => ({ port: portOf(app), secret: SECRET })),
  );
  const upgrade = (path: string) =>
    `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
  expect(await raw(port, upgrade("/api/agents/tools"))).toBe("");
  const socket = connect(port, "127.0.0.1", () => socket.write(upgrade("/_next/webpack-hmr")));
  onTestFinished(() => void socket.destroy());
  let received = "";
  socket.on("data", (data) => (received += String(data)));
  await expect.poll(() => received).toContain(SECRET);
  expect(received).toMatch(/^HTTP\/1.1 101 /);
  socket.write("to and fro");
  await expect.poll(() => received).toContain("to and fro");
});
