import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { AppError } from "@/lib/errors";
import { isPublicAddress } from "@/lib/store/keys/public-address";
import { outboundClient, type Outbound, type OutboundOptions } from "@/lib/outbound/fetch";

const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A real server on a free loopback port; returns its `host:port`. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/**
 * The `host:port` of a process that listens, is stopped, and has as many connections waiting as the system keeps for it:
 * what more comes is answered by nobody.
 */
async function unreachable(): Promise<string> {
  const listens = `const server = require("node:net").createServer();
    server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => process.send(server.address().port));`;
  const child = spawn(process.execPath, ["-e", listens], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [port] = (await once(child, "message")) as [number];
  child.kill("SIGSTOP");
  const waiting = Array.from({ length: 8 }, () => connect(port, "127.0.0.1").on("error", () => {}));
  onTestFinished(() => waiting.forEach((socket) => socket.destroy()));
  await once(waiting[0]!, "connect");
  return `127.0.0.1:${port}`;
}

function allowing(host: string, options: Partial<OutboundOptions> = {}): Outbound {
  return outboundClient({ allow: () => [host], ...options });
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return "none";
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
}

describe("which addresses are public", () => {
  const refused = [
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "10.255.255.255",
    "100.64.0.1",
    "100.100.100.200",
    "127.0.0.1",
    "127.255.255.254",
    "168.63.129.16",
    "169.254.0.1",
    "169.254.169.254",
    "169.254.170.2",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.1",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.0.1",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::7f00:1",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "::ffff:0:127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::808:808",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:0:1:2::3",
    "2001:2::1",
    "2001:3::1",
    "2001:10::1",
    "2001:20::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "2002:a9fe:a9fe::1",
    "2620:4f:8000::1",
    "3fff::1",
    "4000::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%lo",
    "fec0::1",
    "ff02::1",
    "2606:4700::1%eth0",
    "",
    "localhost",
    "1",
    "0x7f.1",
    "127.1",
    "017700000001",
    "1.2.3",
  ];
  it.each(refused)("%s is not", (address) => expect(isPublicAddress(address)).toBe(false));
  it.each(["8.8.8.8", "1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2a00:1450::1", "2600::"])(
    "%s is",
    (address) => expect(isPublicAddress(address)).toBe(true),
  );
});

describe("an outbound request", () => {
  const forms = [
    "127.0.0.1",
    "localhost",
    "LOCALHOST",
    "127.1",
    "127.0.1",
    "0177.0.0.1",
    "0x7f.0.0.1",
    "0x7f000001",
    "2130706433",
    "017700000001",
    "127.0.0.1.",
    "%31%32%37.0.0.1",
    "①②⑦.⓪.⓪.①",
    "127。0。0。1",
    "0",
    "0.0.0.0",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[64:ff9b::127.0.0.1]",
    "[2002:7f00:1::]",
    "169.254.169.254",
    "0xa9fea9fe",
    "2852039166",
    "[::ffff:a9fe:a9fe]",
    "[fd00:ec2::254]",
    "10.0.0.1",
    "192.168.1.1",
    "172.16.5.5",
    "100.64.0.1",
    "224.0.0.1",
  ];
  it.each(forms)("never reaches %s", async (host) => {
    let reached = 0;
    const target = await serve((_request, response) => {
      reached += 1;
      response.end();
    });
    const port = target.split(":")[1];
    const client = outboundClient({ allow: () => [] });
    expect(await codeOf(client({ url: `http://${host}:${port}/` }))).toBe("address_refused");
    expect(reached).toBe(0);
  });

  it("refuses a name when any of its addresses is not public", async () => {
    const client = outboundClient({
      allow: () => [],
      resolveHost: async () => [
        { address: "93.184.216.34", family: 4 },
        { address: "169.254.169.254", family: 4 },
      ],
    });
    expect(await codeOf(client({ url: "http://rebind.example/" }))).toBe("address_refused");
    await expect(client({ url: "http://rebind.example:8080/" })).rejects.toThrow(
      "`rebind.example:8080` is not a public",
    );
  });

  it("connects to the addresses that were checked, without a second DNS query", async () => {
    let asked = 0;
    const client = outboundClient({
      allow: () => [],
      connectMs: 200,
      resolveHost: async () => [{ address: asked++ === 0 ? "192.0.2.1" : "127.0.0.1", family: 4 }],
    });
    expect(await codeOf(client({ url: "http://rebind.example/" }))).toBe("address_refused");
    expect(asked).toBe(1);
  });

  it("an allowed entry is exact: another port or another name of the same address is refused", async () => {
    const host = await serve((_request, response) => response.end("here"));
    const port = host.split(":")[1];
    expect((await allowing(host)({ url: `http://${host}/` })).status).toBe(200);
    expect(await codeOf(allowing(`127.0.0.1:1`)({ url: `http://${host}/` }))).toBe("address_refused");
    expect(await codeOf(allowing(host)({ url: `http://localhost:${port}/` }))).toBe("address_refused");
  });

  it("does not follow a redirect, to a metadata address or anywhere", async () => {
    const host = await serve((_request, response) =>
      response.writeHead(302, { location: "http://169.254.169.254/latest/meta-data/" }).end(),
    );
    const answer = await allowing(host)({ url: `http://${host}/` });
    expect(answer.status).toBe(302);
    expect(answer.headers["location"]).toContain("169.254.169.254");
  });

  it.each(["ftp://example.com/", "file:///etc/passwd", "gopher://example.com", "not a url", "http://u:p@example.com/"])(
    "refuses %s",
    async (url) => expect(await codeOf(outboundClient({ allow: () => [] })({ url }))).toBe("address_refused"),
  );

  it.each([
    "Host",
    "authorization",
    "COOKIE",
    "Content-Length",
    "Transfer-Encoding",
    "Forwarded",
    "X-Forwarded-For",
    "Proxy-Authorization",
    "proxy-anything",
    "Connection",
    "Upgrade",
    "bad name",
    "x\r\ny",
  ])("refuses the header %s", async (name) => {
    const host = await serve((_request, response) => response.end());
    expect(await codeOf(allowing(host)({ url: `http://${host}/`, headers: { [name]: "1" } }))).toBe(
      "invalid_arguments",
    );
  });

  it("refuses a header value with a line break", async () => {
    const host = await serve((_request, response) => response.end());
    const headers = { "x-note": "a\r\nhost: evil" };
    expect(await codeOf(allowing(host)({ url: `http://${host}/`, headers }))).toBe("invalid_arguments");
  });

  it("sends method, headers, credentials and body, and returns the decoded answer", async () => {
    const host = await serve(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += String(chunk);
      const seen = {
        method: request.method,
        auth: request.headers.authorization,
        note: request.headers["x-note"],
        body,
      };
      response.writeHead(201, { "content-type": "application/json", "content-encoding": "gzip" });
      response.end(gzipSync(JSON.stringify(seen)));
    });
    const answer = await allowing(host)({
      url: `http://${host}/things?x=1`,
      method: "POST",
      headers: { "x-note": "n" },
      credentials: { authorization: "Bearer t" },
      body: "{}",
    });
    expect(answer.status).toBe(201);
    expect(answer.ms).toBeGreaterThan(0);
    expect(JSON.parse(Buffer.from(answer.body).toString())).toEqual({
      method: "POST",
      auth: "Bearer t",
      note: "n",
      body: "{}",
    });
  });
});

describe("the bounds of an exchange", () => {
  it("the total holds within 250 ms against a server that drips bytes", { retry: 2 }, async () => {
    const host = await serve((_request, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write("."), 20);
      response.on("close", () => clearInterval(drip));
    });
    const started = performance.now();
    expect(await codeOf(allowing(host)({ url: `http://${host}/`, totalMs: 600 }))).toBe("upstream_timeout");
    const took = performance.now() - started;
    expect(took).toBeGreaterThan(590);
    expect(took).toBeLessThan(850);
  });

  it("the total holds against a drip in headers", { retry: 2 }, async () => {
    const host = await serve((request) => {
      request.socket.write("HTTP/1.1 200 OK\r\n");
      let count = 0;
      const drip = setInterval(() => request.socket.write(`x-${(count += 1)}: a\r\n`), 20);
      request.socket.on("close", () => clearInterval(drip));
    });
    const started = performance.now();
    expect(await codeOf(allowing(host)({ url: `http://${host}/`, totalMs: 500 }))).toBe("upstream_timeout");
    expect(performance.now() - started).toBeLessThan(750);
  });

  it("an upstream that takes no connection is given up after 3 s", async () => {
    const host = await unreachable();
    const started = performance.now();
    expect(await codeOf(allowing(host)({ url: `http://${host}/`, totalMs: 20_000 }))).toBe("upstream_timeout");
    const took = performance.now() - started;
    expect(took).toBeGreaterThan(2_900);
    expect(took).toBeLessThan(4_500);
  });

  it("headers that do not come are a timeout", async () => {
    const host = await serve(() => {});
    expect(await codeOf(allowing(host, { headersMs: 200 })({ url: `http://${host}/` }))).toBe("upstream_timeout");
  });

  it.each(["gzip", "br", "deflate"])(
    "an answer without a body is empty, also when it names the encoding %s",
    async (name) => {
      const host = await serve((_request, response) => response.writeHead(201, { "content-encoding": name }).end());
      const { status, body } = await allowing(host)({ url: `http://${host}/`, method: "POST" });
      expect([status, body.byteLength]).toEqual([201, 0]);
    },
  );

  it("asks for no encoding of which servers send two formats", async () => {
    const host = await serve((request, response) => response.end(request.headers["accept-encoding"]));
    expect(Buffer.from((await allowing(host)({ url: `http://${host}/` })).body).toString()).toBe("gzip, br");
  });

  it("headers may take as long as a request asks for", async () => {
    const host = await serve((_request, response) => void setTimeout(() => response.end("late"), 400));
    const send = allowing(host, { headersMs: 100 });
    expect((await send({ url: `http://${host}/`, totalMs: 20_000 })).status).toBe(200);
  });

  it("a body over the limit is refused, sent whole or in pieces", async () => {
    const host = await serve((request, response) => {
      const big = Buffer.alloc(70_000, 97);
      if (request.url === "/whole") return response.end(big);
      response.write(big.subarray(0, 35_000));
      return response.end(big.subarray(35_000));
    });
    const client = allowing(host);
    expect(await codeOf(client({ url: `http://${host}/whole`, maxBytes: 65_536 }))).toBe("result_too_large");
    expect(await codeOf(client({ url: `http://${host}/pieces`, maxBytes: 65_536 }))).toBe("result_too_large");
    expect((await client({ url: `http://${host}/whole`, maxBytes: 70_000 })).body.byteLength).toBe(70_000);
  });

  it("a gzip bomb is refused by its decoded size, and little memory is spent on it", async () => {
    const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024));
    const host = await serve((_request, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(bomb));
    const before = process.memoryUsage().arrayBuffers;
    expect(await codeOf(allowing(host)({ url: `http://${host}/` }))).toBe("result_too_large");
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(32 * 1024 * 1024);
  });

  it("an encoded body is refused by its received size too, although it decodes to nothing", async () => {
    // RFC 1951, 3.2.4: a stored block of no bytes. RFC 1952, 2.3: ten bytes before the blocks, eight after them.
    const blocks = (count: number) =>
      Buffer.concat(Array.from({ length: count }, () => Buffer.from("000000ffff", "hex")));
    const end = Buffer.from("010000ffff0000000000000000", "hex");
    const gzipOf = (count: number) => Buffer.concat([gzipSync("").subarray(0, 10), blocks(count), end]);
    let count = 10;
    const host = await serve((_request, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipOf(count)),
    );
    const send = () => allowing(host)({ url: `http://${host}/`, maxBytes: 64 * 1024 });
    expect((await send()).body).toHaveLength(0);
    count = 100_000;
    await expect(send()).rejects.toMatchObject({ code: "result_too_large" });
  });

  it.each(["gzip, gzip", "zstd", "compress"])("an answer encoded as %s is refused", async (encoding) => {
    const host = await serve((_request, response) =>
      response.writeHead(200, { "content-encoding": encoding }).end(gzipSync("x")),
    );
    expect(await codeOf(allowing(host)({ url: `http://${host}/` }))).toBe("upstream_error");
  });

  it("a body that is not the gzip it claims to be is an upstream error", async () => {
    const host = await serve((_request, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end("plain"),
    );
    expect(await codeOf(allowing(host)({ url: `http://${host}/` }))).toBe("upstream_error");
  });

  it("response headers over 16 KiB are refused", async () => {
    const host = await serve((_request, response) => response.writeHead(200, { "x-big": "a".repeat(20_000) }).end());
    expect(await codeOf(allowing(host)({ url: `http://${host}/` }))).toBe("result_too_large");
  });

  it("a closed port and an unknown name are unreachable", async () => {
    const host = await serve((_request, response) => response.end());
    open.at(-1)!.close();
    await new Promise((resolve) => open.at(-1)!.once("close", resolve));
    expect(await codeOf(allowing(host)({ url: `http://${host}/` }))).toBe("upstream_unreachable");
    const client = outboundClient({
      allow: () => [],
      resolveHost: () => Promise.reject(Object.assign(new Error("nothing"), { code: "ENOTFOUND" })),
    });
    expect(await codeOf(client({ url: "http://nowhere.example/" }))).toBe("upstream_unreachable");
  });

  it("an upstream that breaks off is unreachable", async () => {
    const host = await serve((request, response) => {
      response.writeHead(200, { "content-length": "1000" });
      response.write("half");
      setImmediate(() => request.socket.destroy());
    });
    expect(await codeOf(allowing(host)({ url: `http://${host}/` }))).toBe("upstream_unreachable");
  });

  it("the caller can cancel, before and while", async () => {
    const host = await serve((_request, response) => response.writeHead(200).write("x"));
    const client = allowing(host);
    expect(await codeOf(client({ url: `http://${host}/`, signal: AbortSignal.abort() }))).toBe("cancelled");
    const control = new AbortController();
    const pending = codeOf(client({ url: `http://${host}/`, signal: control.signal }));
    setImmediate(() => control.abort());
    expect(await pending).toBe("cancelled");
  });

  it("no message names an inner address", async () => {
    const client = outboundClient({ allow: () => [], resolveHost: async () => [{ address: "10.1.2.3", family: 4 }] });
    await expect(client({ url: "http://inner.example/" })).rejects.toMatchObject({
      message: expect.not.stringContaining("10.1.2.3"),
    });
  });
});
