import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ISSUER_KEY_LIMITS } from "@/lib/auth/agents/issuer-keys";
import { tokenKey } from "@/lib/contracts/people/revocation";
import type { TestIssuer } from "@/test/support/servers/issuer";
import { openIssuerDoor, type IssuerDoor } from "@/test/support/servers/issuer-door";

let door: IssuerDoor;
let corp: TestIssuer;

beforeEach(async () => {
  door = await openIssuerDoor();
  corp = door.issuer;
});
afterEach(async () => {
  vi.restoreAllMocks();
  await corp.close();
});

/** A token that was accepted before. */
async function seen(): Promise<string> {
  const token = await corp.token({ jti: "one" }, { key: corp.keys[0]!, now: door.now / 1000 });
  expect(await door.subjectOf(token)).not.toBeNull();
  return token;
}

test("the signature of an accepted token is not verified again; another token's is", async () => {
  const token = await seen();
  const verify = vi.spyOn(crypto.subtle, "verify");
  expect(await door.subjectOf(token)).not.toBeNull();
  expect(verify).not.toHaveBeenCalled();
  const other = `${token.slice(0, -8)}${token.at(-8) === "A" ? "B" : "A"}${token.slice(-7)}`;
  expect(await door.subjectOf(other)).toBeNull();
  expect(verify).toHaveBeenCalled();
});

test("a token that was accepted is refused once it has expired, its issuer is disabled or trusted for less", async () => {
  const token = await seen();
  for (const changes of [{ enabled: false }, { audience: "other" }, { algorithms: ["RS256" as const] }]) {
    const before = door.registry;
    door.registry = { ...door.registry, issuers: new Map([["corp", door.rowOf(changes)]]) };
    expect(await door.subjectOf(token)).toBeNull();
    door.registry = before;
  }
  expect(await door.subjectOf(token)).not.toBeNull();
  door.now += 24 * 3_600_000;
  expect(await door.subjectOf(token)).toBeNull();
});

test("a token that was accepted is refused at the request after its revocation", async () => {
  const token = await seen();
  const until = new Date(door.now + 3_600_000).toISOString();
  door.registry = { ...door.registry, revocations: new Map([[tokenKey(corp.issuer, "one"), until]]) };
  expect(await door.subjectOf(token)).toBeNull();
});

test("a token that was accepted is refused within 10 minutes of its key's removal", async () => {
  const token = await corp.token({ exp: door.now / 1000 + 3_600 }, { key: corp.keys[0]!, now: door.now / 1000 });
  expect(await door.subjectOf(token)).not.toBeNull();
  await corp.rotate();
  corp.keys.shift();
  door.now += ISSUER_KEY_LIMITS.staleMs;
  expect(await door.subjectOf(token)).toBeNull();
});
