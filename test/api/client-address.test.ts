import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { clientAddress } from "@/lib/auth/people/client-address";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

async function behind(proxies: number, forwarded: string): Promise<string> {
  vi.stubEnv("TRUST_PROXY", String(proxies));
  vi.resetModules();
  const fresh = await import("@/lib/auth/people/client-address");
  return fresh.clientAddress(new Headers({ "x-forwarded-for": forwarded }));
}

test("an address is the socket's, whatever the client wrote before it", () => {
  expect(clientAddress(new Headers({ "x-forwarded-for": "6.6.6.6, 10.0.0.7" }))).toBe("10.0.0.7");
  expect(clientAddress(new Headers())).toBe("unknown");
});
test("behind trusted proxies it is the one that the outermost of them saw", async () => {
  expect(await behind(1, "6.6.6.6, 203.0.113.9, 10.0.0.7")).toBe("203.0.113.9");
  expect(await behind(2, "6.6.6.6, 203.0.113.9, 10.0.0.8, 10.0.0.7")).toBe("203.0.113.9");
});
test("an oversized one is shortened to a digest", () => {
  expect(clientAddress(new Headers({ "x-forwarded-for": "x".repeat(4000) }))).toMatch(/^[0-9a-f]{64}$/);
});
test("the server adds the socket's address to what a client made up", async () => {
  await import("@/bin/peer-address.mjs");
  const server = createServer((request, response) => response.end(String(request.headers["x-forwarded-for"])));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const seen = async (headers: Record<string, string>) => (await fetch(url, { headers })).text();
  expect(await seen({ "x-forwarded-for": "6.6.6.6" })).toBe("6.6.6.6, 127.0.0.1");
  expect(await seen({})).toBe("127.0.0.1");
  await new Promise((done) => server.close(done));
});
