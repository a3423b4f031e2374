import { afterEach, expect, it, vi } from "vitest";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

/** The environment as a process reads it that has this variable so. */
async function read(name: string, value: string) {
  vi.resetModules();
  vi.stubEnv(name, value);
  const { env } = await import("@/lib/env");
  return env[name as keyof typeof env];
}

it.each([
  ["OUTBOUND_ALLOW", "127.0.0.1", "host:port"],
  ["OUTBOUND_ALLOW", "http://127.0.0.1:8080", "host:port"],
  ["MCP_HOSTS", "https://tools.example.com", "host names without scheme or port"],
  ["MCP_HOSTS", "tools.example.com:8443", "host names without scheme or port"],
  ["NEXTAUTH_URL", "tools.example.com", "the public http(s):// address"],
  ["NEXTAUTH_URL", "ftp://tools.example.com", "the public http(s):// address"],
  ["TRUST_PROXY", "yes", "a whole number from 0 to 10"],
  ["TRUST_PROXY", "1.5", "a whole number from 0 to 10"],
  ["STREAMS_PER_CALLER", "0", "a whole number of at least 1"],
  ["STREAMS_PER_CALLER", "many", "a whole number of at least 1"],
  ["OTEL_BSP_SCHEDULE_DELAY", "5", "a whole number of at least 100"],
])("%s=%s stops the start with what it must be: %s", async (name, value, must) => {
  await expect(read(name, value)).rejects.toThrow(`${name}: must be ${must}`);
});

it.each([
  [
    "OUTBOUND_ALLOW",
    "127.0.0.1:8080, [::1]:8080,shop.internal:443",
    ["127.0.0.1:8080", "[::1]:8080", "shop.internal:443"],
  ],
  ["MCP_HOSTS", "tools.example.com,[::1]", ["tools.example.com", "[::1]"]],
  ["TRUST_PROXY", "", 0],
  ["TRUST_PROXY", "2", 2],
  ["CALLS_PER_CALLER", "", 32],
  ["STREAMS_PER_CALLER", "", 2_000],
])("%s=%s is taken as it is meant", async (name, value, expected) => {
  expect(await read(name, value)).toEqual(expected);
});

it.each([
  ["OIDC_RECHECK_MINUTES", 15],
  ["CALLS_PER_CALLER", 32],
  ["MCP_TOOLS_PER_SOURCE", 5_000],
])("%s is %i unless it is set", async (name, value) => {
  expect(await read(name, "")).toBe(value);
});
