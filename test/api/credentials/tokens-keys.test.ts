import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { exportJWK } from "jose";
import { ISSUER_KEY_LIMITS } from "@/lib/auth/agents/issuer-keys";
import { makeKey, type SigningKey, type TestIssuer } from "@/test/support/servers/issuer";
import { openAgentEndpoint, type AgentEndpoint } from "@/test/support/servers/agent-endpoint";

const MINUTE = 60_000;

let endpoint: AgentEndpoint;
let corp: TestIssuer;

beforeEach(async () => {
  endpoint = await openAgentEndpoint();
  corp = endpoint.issuer;
});
afterEach(() => corp.close());

/** Whether a token signed now by that key is accepted. */
async function accepts(key: SigningKey, header: Record<string, unknown> = {}): Promise<boolean> {
  const token = await corp.token({}, { key, header, now: endpoint.now / 1000 });
  return (await endpoint.subjectOf(token)) !== null;
}

describe("the keys of an issuer", () => {
  it("are fetched once for many tokens, concurrent or later", async () => {
    const key = corp.keys[0]!;
    expect(await Promise.all(Array.from({ length: 20 }, () => accepts(key)))).not.toContain(false);
    endpoint.now += MINUTE;
    expect(await accepts(key)).toBe(true);
    expect(corp.fetches()).toBe(1);
  });

  it("a new key works within 30 s", async () => {
    await accepts(corp.keys[0]!);
    await corp.rotate();
    endpoint.now += ISSUER_KEY_LIMITS.cooldownMs;
    expect(await accepts(corp.keys[1]!)).toBe(true);
  });

  it("a new key under the old kid, or without a kid, works within 30 s too", async () => {
    await accepts(corp.keys[0]!);
    const replaced = await makeKey("ES256", "key-1");
    corp.keys.splice(0, 1, replaced);
    expect(await accepts(replaced)).toBe(false);
    endpoint.now += ISSUER_KEY_LIMITS.cooldownMs;
    expect(await accepts(replaced, { kid: undefined })).toBe(true);
    expect(await accepts(replaced)).toBe(true);
  });

  it("are fetched at most once in 30 s, whatever kids are presented", async () => {
    const stranger = await makeKey("ES256", "stranger");
    await accepts(corp.keys[0]!);
    for (let step = 0; step < 60; step += 1) {
      endpoint.now += 1000;
      expect(await accepts(stranger, { kid: `kid-${step}` })).toBe(false);
    }
    expect(corp.fetches()).toBeLessThanOrEqual(3);
  });

  it("a removed key is refused within 10 min, used all the while or not at all", async () => {
    const old = corp.keys[0]!;
    await accepts(old);
    await corp.rotate();
    corp.keys.shift();
    for (let minute = 0; minute < 10; minute += 1) {
      endpoint.now += MINUTE;
      await accepts(old);
    }
    expect(await accepts(old)).toBe(false);
    const second = corp.keys[0]!;
    expect(await accepts(second)).toBe(true);
    await corp.rotate();
    corp.keys.shift();
    endpoint.now += 10 * MINUTE;
    expect(await accepts(second)).toBe(false);
  });

  it("known keys outlive an outage for an hour, unknown ones never work", async () => {
    const known = corp.keys[0]!;
    await accepts(known);
    corp.setAvailable(false);
    const fresh = await makeKey("ES256", "fresh");
    endpoint.now += 50 * MINUTE;
    expect(await accepts(known)).toBe(true);
    expect(await accepts(fresh)).toBe(false);
    endpoint.now += 10 * MINUTE;
    expect(await accepts(known)).toBe(false);
    corp.setAvailable(true);
    endpoint.now += ISSUER_KEY_LIMITS.cooldownMs;
    expect(await accepts(known)).toBe(true);
  });

  it("an unreachable issuer authenticates no token, and is tried again after 30 s", async () => {
    corp.setAvailable(false);
    expect(await accepts(corp.keys[0]!)).toBe(false);
    corp.setAvailable(true);
    endpoint.now += 29_000;
    expect(await accepts(corp.keys[0]!)).toBe(false);
    endpoint.now += 1000;
    expect(await accepts(corp.keys[0]!)).toBe(true);
  });

  it.each<[string, unknown]>([
    ["larger than 256 KiB", { keys: [], pad: "x".repeat(300 * 1024) }],
    ["not JSON", "keys?"],
    ["without keys", { jwks: [] }],
    ["with keys that are no list", { keys: { a: 1 } }],
  ])("a key set %s is not taken", async (_name, document) => {
    corp.serve(document);
    expect(await accepts(corp.keys[0]!)).toBe(false);
  });

  it("private, symmetric, encryption and duplicate keys in a set are ignored; the good one still works", async () => {
    const [good, priv, enc, twin, other] = await Promise.all(
      ["good", "private", "enc", "twin", "ops"].map((kid) => makeKey("ES256", kid)),
    );
    corp.serve({
      keys: [
        null,
        "text",
        { kty: "oct", k: "c2VjcmV0", kid: "oct", alg: "HS256" },
        { ...(await exportJWK(priv!.privateKey)), kid: "private" },
        { ...enc!.publicJwk, use: "enc" },
        twin!.publicJwk,
        { ...other!.publicJwk, kid: "twin" },
        { ...other!.publicJwk, use: undefined, key_ops: ["encrypt"] },
        { kty: "EC", crv: "P-256", x: "AAAA", y: "AAAA", kid: "off-curve" },
        good!.publicJwk,
      ],
    });
    expect(await accepts(good!)).toBe(true);
    for (const key of [priv!, enc!, twin!, other!]) expect(await accepts(key)).toBe(false);
    expect(await accepts(good!, { kid: "off-curve" })).toBe(false);
  });

  it("without a kid, several keys that fit are too many", async () => {
    await corp.rotate();
    expect(await accepts(corp.keys[0]!, { kid: undefined })).toBe(false);
    expect(await accepts(corp.keys[0]!)).toBe(true);
  });
});
