import { describe, expect, it } from "vitest";
import type { JWK } from "jose";
import { issuerKeys } from "@/lib/auth/agents/issuer-keys";
import { toKeySet } from "@/lib/auth/agents/key-set";
import { testToken } from "@/lib/auth/agents/test-token";
import { isSigned } from "@/lib/auth/agents/token";
import { AppError } from "@/lib/errors";
import { ALGORITHMS, issuerRow } from "@/lib/resources/issuer";
import type { TokenCheck } from "@/lib/contracts/people/token-test";
import own from "@/test/jws/own.json";
import rfc from "@/test/jws/rfc.json";

// The published examples of the RFCs (rfc.json), and vectors of this project (own.json, made once with node:crypto; the
// private keys are deleted) for the kinds of cases in Wycheproof. wycheproof.test.ts runs Wycheproof's vectors.

/** The check that refuses a token in the agent API; `null` = accepted. */
async function refusedAt(jws: string, iss: string, keys: readonly unknown[]): Promise<TokenCheck | null> {
  const issuer = issuerRow.parse({
    name: "vectors",
    issuer: iss,
    audience: "quartermaster",
    jwks: { keys },
    algorithms: [...ALGORITHMS],
    revision: 1,
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
  });
  // The vectors are old: test/api/credentials/tokens.test.ts tests the age of tokens.
  const registry = {
    revision: 1,
    issuers: new Map([["vectors", { ...issuer, maxTokenAgeSeconds: Infinity }]]),
    agents: new Map(),
    revocations: new Map(),
  };
  const now = () => Date.parse("2026-06-01T00:00:00Z");
  const noFetch = () => Promise.reject(new Error("Static keys are not fetched."));
  const { accepted, checks } = await testToken(jws, registry, { keys: issuerKeys(noFetch, now), now }, []);
  const failed = checks.find(({ verdict }) => verdict === "failed")?.check ?? null;
  expect(accepted).toBe(failed === null);
  return failed;
}

/** Whether the signature alone is valid, by a key of the set. */
async function holds(jws: string, alg: string, jwk: object): Promise<boolean> {
  const key = await toKeySet([jwk]).find(alg, (jwk as JWK).kid ?? null);
  return key !== null && isSigned(jws, key, alg);
}

describe("the examples of the RFCs", () => {
  it.each(rfc)("$source ($alg) is refused at the check `$check`: $why", async ({ jws, jwk, check }) => {
    expect(await refusedAt(jws, "joe", [jwk])).toBe(check);
  });
  it.each(rfc.filter(({ alg }) => (ALGORITHMS as readonly string[]).includes(alg)))(
    "$source ($alg) has a signature that holds",
    async ({ jws, jwk, alg }) => {
      expect(await holds(jws, alg, jwk)).toBe(true);
      const [header, , signature] = jws.split(".");
      expect(await holds(`${header}.AAAA.${signature}`, alg, jwk)).toBe(false);
    },
  );
});

type Segments = readonly [header: string, payload: string, signature: string];
const b64 = (value: string) => Buffer.from(value).toString("base64url");
const text = (segment: string) => Buffer.from(segment, "base64url").toString("latin1");
const flipped = (segment: string, at: number) => {
  const bytes = Buffer.from(segment, "base64url");
  bytes[at < 0 ? bytes.length + at : at]! ^= 1;
  return bytes.toString("base64url");
};
/** A JSON segment with changed fields. */
const edited = (segment: string, more: object) => b64(JSON.stringify({ ...JSON.parse(text(segment)), ...more }));

/** The change to every valid vector, and the check that must refuse the result. */
const CHANGES: Readonly<Record<string, [TokenCheck, (segments: Segments) => string]>> = {
  "the first bit of the signature changed": ["signature", ([h, p, s]) => [h, p, flipped(s, 0)].join(".")],
  "the last bit of the signature changed": ["signature", ([h, p, s]) => [h, p, flipped(s, -1)].join(".")],
  "a byte before the signature": ["signature", ([h, p, s]) => [h, p, b64(`\0${text(s)}`)].join(".")],
  "a byte less of signature": ["signature", ([h, p, s]) => `${h}.${p}.${cut(s)}`],
  "a changed payload": ["signature", ([h, p, s]) => [h, edited(p, { sub: "admin" }), s].join(".")],
  "a changed header": ["signature", ([h, p, s]) => [edited(h, { extra: 1 }), p, s].join(".")],
  "another kid": ["key", ([h, p, s]) => [edited(h, { kid: "Xid" }), p, s].join(".")],
  "alg none, signature kept": ["algorithm", ([h, p, s]) => [edited(h, { alg: "none" }), p, s].join(".")],
  "alg none, no signature": ["form", ([h, p]) => `${edited(h, { alg: "none" })}.${p}.`],
  "no signature": ["form", ([h, p]) => `${h}.${p}.`],
  "no signature and no separator": ["form", ([h, p]) => `${h}.${p}`],
  "no payload": ["form", ([h, , s]) => `${h}..${s}`],
  "no payload and no separator": ["form", ([h, , s]) => `${h}.${s}`],
  "no header": ["form", ([, p, s]) => `.${p}.${s}`],
  "no header and no signature": ["form", ([, p]) => `.${p}.`],
  "the payload alone": ["form", ([, p]) => p],
  "an empty component more": ["form", (all) => `${all.join(".")}.`],
  "a component more": ["form", (all) => `${all.join(".")}.Zm9v`],
  "padded segments": ["form", ([h, p, s]) => `${h}.${p}.${s}=`],
  "standard base64": ["form", ([h, p, s]) => `${h}.${p}.${s}`.replace(/.$/, "+")],
  "a line break inside": ["form", ([h, p, s]) => `${h}.${p}\n.${s}`],
  "JSON serialisation": ["form", ([h, p, s]) => JSON.stringify({ protected: h, payload: p, signature: s })],
};

function cut(signature: string): string {
  return Buffer.from(signature, "base64url").subarray(0, -1).toString("base64url");
}

describe("a token signed by an issuer's key", () => {
  it("exists in every algorithm that an issuer may use", () =>
    expect(own.valid.map(({ name }) => name).toSorted()).toEqual([...ALGORITHMS].toSorted()));

  it.each(own.valid)("is accepted: $name", async ({ jws }) =>
    expect(await refusedAt(jws, own.issuer, own.keys)).toBeNull(),
  );

  describe.each(own.valid)("$name", ({ jws }) => {
    it.each(Object.entries(CHANGES))("is refused with %s", async (_what, [check, change]) => {
      const changed = change(jws.split(".") as unknown as Segments);
      expect(changed).not.toBe(jws);
      expect(await refusedAt(changed, own.issuer, own.keys)).toBe(check);
    });
  });
});

describe("a crafted token", () => {
  it.each(own.invalid)("is refused: $name", async ({ jws, check, keys = own.keys }: Crafted) =>
    expect(await refusedAt(jws, own.issuer, keys)).toBe(check),
  );
});

describe("a token that a more lenient verifier would accept", () => {
  it.each(own.refusedByRule)("is refused by rule: $name ($why)", async ({ jws, check, keys = own.keys }: Crafted) =>
    expect(await refusedAt(jws, own.issuer, keys)).toBe(check),
  );
});

interface Crafted {
  readonly jws: string;
  readonly check: string;
  readonly keys?: readonly unknown[];
}

it("the verifier refuses any signature with a 401 and nothing else", async () => {
  const es256 = own.keys.find(({ kid }) => kid === "es256")!;
  const key = await toKeySet([es256]).find("ES256", null);
  const thrown = await isSigned("a.b.c", key!, "ES256").catch((error: unknown) => error);
  expect(thrown instanceof AppError ? thrown.code : thrown).toBe("unauthenticated");
});
