import { afterEach, expect, test, vi } from "vitest";
import { fetchKeySet } from "@/lib/auth/agents/issuer-keys";
import type { Outbound } from "@/lib/outbound/fetch";
import { mayServeKeys } from "@/lib/outbound/key-address";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

test("signing keys come from https or this machine", () => {
  for (const address of ["https://a.example/keys", "http://localhost:1/k", "http://127.0.0.1/k", "http://[::1]:9/k"])
    expect([address, mayServeKeys(address)]).toEqual([address, true]);
  for (const address of [
    "http://a.example/keys",
    "http://localhost.evil.example/k",
    "http://10.0.0.7/k",
    "http://127.0.0.1.evil.example/k",
  ])
    expect([address, mayServeKeys(address)]).toEqual([address, false]);
});
test("an operator may allow a host in plain text by name and port", async () => {
  vi.stubEnv("OUTBOUND_ALLOW", "keys.internal:8080,plain.internal:80");
  vi.resetModules();
  const { mayServeKeys: allowed } = await import("@/lib/outbound/key-address");
  expect(allowed("http://keys.internal:8080/jwks")).toBe(true);
  expect(allowed("http://plain.internal/jwks")).toBe(true);
  expect(allowed("http://keys.internal:8081/jwks")).toBe(false);
});
test("any other address is never asked", async () => {
  const asked = vi.fn<Outbound>();
  await expect(fetchKeySet(asked, "http://a.example/keys")).rejects.toThrow("use https");
  expect(asked).not.toHaveBeenCalled();
});
