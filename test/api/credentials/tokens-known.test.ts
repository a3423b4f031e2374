import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ISSUER_KEY_LIMITS } from "@/lib/auth/agents/issuer-keys";
import { tokenKey } from "@/lib/contracts/people/revocation";
import type { TestIssuer } from "@/test/support/servers/issuer";
import { openAgentEndpoint, type AgentEndpoint } from "@/test/support/servers/agent-endpoint";

let endpoint: AgentEndpoint;
let corp: TestIssuer;

beforeEach(async () => {
  endpoint = await openAgentEndpoint();
  corp = endpoint.issuer;
});
afterEach(async () => {
  vi.restoreAllMocks();
  await corp.close();
});

/** A token that was accepted before. */
async function seen(): Promise<string> {
  const token = await corp.token({ jti: "one" }, { key: corp.keys[0]!, now: endpoint.now / 1000 });
  expect(await endpoint.subjectOf(token)).not.toBeNull();
  return token;
}

test("the signature of an accepted token is not verified again; another token's is", async () => {
  const token = await seen();
  const verify = vi.spyOn(crypto.subtle, "verify");
  expect(await endpoint.subjectOf(token)).not.toBeNull();
  expect(verify).not.toHaveBeenCalled();
  const other = `${token.slice(0, -8)}${token.at(-8) === "A" ? "B" : "A"}${token.slice(-7)}`;
  expect(await endpoint.subjectOf(other)).toBeNull();
  expect(verify).toHaveBeenCalled();
});

test("a token that was accepted is refused once it has expired, its issuer is disabled or trusted for less", async () => {
  const token = await seen();
  for (const changes of [{ enabled: false }, { audience: "other" }, { algorithms: ["RS256" as const] }]) {
    const before = endpoint.registry;
    endpoint.registry = { ...endpoint.registry, issuers: new Map([["corp", endpoint.rowOf(changes)]]) };
    expect(await endpoint.subjectOf(token)).toBeNull();
    endpoint.registry = before;
  }
  expect(await endpoint.subjectOf(token)).not.toBeNull();
  endpoint.now += 24 * 3_600_000;
  expect(await endpoint.subjectOf(token)).toBeNull();
});

test("a token that was accepted is refused at the request after its revocation", async () => {
  const token = await seen();
  const until = new Date(endpoint.now + 3_600_000).toISOString();
  endpoint.registry = { ...endpoint.registry, revocations: new Map([[tokenKey(corp.issuer, "one"), until]]) };
  expect(await endpoint.subjectOf(token)).toBeNull();
});

test("a token that was accepted is refused within 10 minutes of its key's removal", async () => {
  const token = await corp.token(
    { exp: endpoint.now / 1000 + 3_600 },
    { key: corp.keys[0]!, now: endpoint.now / 1000 },
  );
  expect(await endpoint.subjectOf(token)).not.toBeNull();
  await corp.rotate();
  corp.keys.shift();
  endpoint.now += ISSUER_KEY_LIMITS.staleMs;
  expect(await endpoint.subjectOf(token)).toBeNull();
});
