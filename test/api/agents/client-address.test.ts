import { afterEach, expect, test, vi } from "vitest";
import { clientAddress } from "@/lib/auth/client-address";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

async function behind(proxies: number, forwarded: string): Promise<string> {
  vi.stubEnv("TRUST_PROXY", String(proxies));
  vi.resetModules();
  const fresh = await import("@/lib/auth/client-address");
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
test("an IPv4 client has one address, whether the socket listens on IPv4 or IPv6", () => {
  const addressOf = (peer: string) => clientAddress(new Headers({ "x-forwarded-for": peer }));
  expect(addressOf("::ffff:192.0.2.7")).toBe("192.0.2.7");
  expect(addressOf("2001:DB8:0:0::7")).toBe("2001:db8::7");
  expect(addressOf("fe80::7%eth0")).toBe("fe80::7");
});
test("an oversized one is shortened to a digest", () => {
  expect(clientAddress(new Headers({ "x-forwarded-for": "x".repeat(4000) }))).toMatch(/^[0-9a-f]{64}$/);
});
