import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { authenticateAgent } from "@/lib/auth/agents/authenticate";
import type { Registry } from "@/lib/auth/agents/caller";
import { ISSUER_KEY_LIMITS, issuerKeys } from "@/lib/auth/agents/issuer-keys";
import { outboundClient } from "@/lib/outbound/fetch";
import { issuerRow, type IssuerRow } from "@/lib/resources/issuer";
import { tokenKey } from "@/lib/resources/revocation";
import { startIssuer, type TestIssuer } from "@/test/support/issuer";

let corp: TestIssuer;
let registry: Registry;
/** Epoch milliseconds; tests move it. */
let now: number;
let authenticate: ReturnType<typeof authenticateAgent>;

beforeEach(async () => {
  corp = await startIssuer();
  now = 1_800_000_000_000;
  registry = { issuers: new Map([["corp", issuerOf()]]), agents: new Map(), revocations: new Map() };
  authenticate = authenticateAgent({
    registry: async () => registry,
    findApiKey: async () => null,
    keys: issuerKeys(outboundClient({ allow: () => [corp.host] }), () => now),
    now: () => now,
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await corp.close();
});

function issuerOf(changes: Partial<IssuerRow> = {}): IssuerRow {
  return issuerRow.parse({
    name: "corp",
    issuer: corp.issuer,
    audience: "quartermaster",
    jwksUri: corp.jwksUri,
    revision: 1,
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
    ...changes,
  });
}

/** A token that was accepted before. */
async function seen(): Promise<string> {
  const token = await corp.token({ jti: "one" }, { key: corp.keys[0]!, now: now / 1000 });
  expect(await subjectOf(token)).not.toBeNull();
  return token;
}

/** Whom a token stands for; `null` when it is refused. */
async function subjectOf(token: string): Promise<string | null> {
  const request = new Request("http://localhost/", { headers: { authorization: `Bearer ${token}` } });
  return authenticate(request).then(
    ({ principal }) => principal.subject,
    () => null,
  );
}

test("the signature of a token that was accepted is not looked at again; another token's is", async () => {
  const token = await seen();
  const verify = vi.spyOn(crypto.subtle, "verify");
  expect(await subjectOf(token)).not.toBeNull();
  expect(verify).not.toHaveBeenCalled();
  const other = `${token.slice(0, -8)}${token.at(-8) === "A" ? "B" : "A"}${token.slice(-7)}`;
  expect(await subjectOf(other)).toBeNull();
  expect(verify).toHaveBeenCalled();
});

test("a token that was accepted is refused once it has expired, its issuer is disabled or trusted for less", async () => {
  const token = await seen();
  for (const changes of [{ enabled: false }, { audience: "other" }, { algorithms: ["RS256" as const] }]) {
    const before = registry;
    registry = { ...registry, issuers: new Map([["corp", issuerOf(changes)]]) };
    expect(await subjectOf(token)).toBeNull();
    registry = before;
  }
  expect(await subjectOf(token)).not.toBeNull();
  now += 24 * 3_600_000;
  expect(await subjectOf(token)).toBeNull();
});

test("a token that was accepted is refused at the request after its revocation", async () => {
  const token = await seen();
  const until = new Date(now + 3_600_000).toISOString();
  registry = { ...registry, revocations: new Map([[tokenKey(corp.issuer, "one"), until]]) };
  expect(await subjectOf(token)).toBeNull();
});

test("a token that was accepted is refused within 10 minutes of its key's removal", async () => {
  const token = await corp.token({ exp: now / 1000 + 3_600 }, { key: corp.keys[0]!, now: now / 1000 });
  expect(await subjectOf(token)).not.toBeNull();
  await corp.rotate();
  corp.keys.shift();
  now += ISSUER_KEY_LIMITS.staleMs;
  expect(await subjectOf(token)).toBeNull();
});
