import { once } from "node:events";
import { request as send, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import type { RequestHandler } from "@/lib/server/front/front";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

/** A front in a process with these settings. */
async function opened(
  settings: Record<string, string>,
  fallback?: RequestHandler,
  limits: { connectionsPerAddress?: number } = {},
) {
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  vi.resetModules();
  const { open } = await import("@/test/server/front/opened-front");
  return open({}, fallback, limits);
}

const FORGED = {
  "x-forwarded-for": "6.6.6.6, 203.0.113.9",
  "x-forwarded-host": "evil.example",
  "x-forwarded-proto": "https",
  "x-forwarded-port": "1",
  forwarded: "for=6.6.6.6",
  "x-real-ip": "6.6.6.6",
};

async function forwarded(proxies: string): Promise<Record<string, string>> {
  const { port } = await opened(
    { TRUST_PROXY: proxies },
    async ({ headers }, outgoing) => void outgoing.end(JSON.stringify(headers)),
  );
  const [answer] = (await once(send({ port, host: "127.0.0.1", headers: FORGED }).end(), "response")) as [
    IncomingMessage,
  ];
  let text = "";
  for await (const chunk of answer) text += String(chunk);
  const entries = Object.entries(JSON.parse(text) as Record<string, string>);
  return Object.fromEntries(entries.filter(([name]) => name in FORGED));
}

test("without a trusted proxy, no forwarding header of a client is left", async () => {
  expect(await forwarded("0")).toEqual({ "x-forwarded-for": "127.0.0.1" });
});
test("behind one trusted proxy, only the entry that it added is left, with its host and scheme", async () => {
  expect(await forwarded("1")).toEqual({ ...FORGED, "x-forwarded-for": "203.0.113.9, 127.0.0.1" });
});

test("answers have HSTS when the public address uses TLS, and otherwise never", async () => {
  for (const [address, expected] of [
    ["https://tools.example.com", "max-age=31536000"],
    ["http://127.0.0.1:3000", null],
  ] as const) {
    const { url } = await opened({ NEXTAUTH_URL: address }, async (_incoming, outgoing) => void outgoing.end());
    for (const path of ["/", "/api/agents/none"])
      expect((await fetch(url + path)).headers.get("strict-transport-security")).toBe(expected);
  }
});

test("an address has so many connections, and another when one was closed; behind a proxy they are not counted", async () => {
  const { port } = await opened({}, undefined, { connectionsPerAddress: 2 });
  const first = connect(port, "127.0.0.1");
  const second = connect(port, "127.0.0.1");
  await Promise.all([once(first, "connect"), once(second, "connect")]);
  const third = connect(port, "127.0.0.1");
  const [received] = (await once(third, "data")) as [Buffer];
  expect(String(received)).toMatch(/^HTTP\/1.1 429 [^]*"code":"rate_limited"/);
  await once(third, "close");
  first.destroy();
  const asked = async () => {
    const socket = connect(port, "127.0.0.1", () =>
      socket.write("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"),
    );
    const [answer] = (await once(socket, "data")) as [Buffer];
    return String(answer).slice(9, 12);
  };
  await expect.poll(asked).toBe("404");
  second.destroy();

  const proxied = await opened({ TRUST_PROXY: "1", CONNECTIONS_PER_ADDRESS: "1" });
  const held = connect(proxied.port, "127.0.0.1");
  await once(held, "connect");
  expect((await fetch(proxied.url)).status).toBe(404);
  held.destroy();
});
