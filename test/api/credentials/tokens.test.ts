import { generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exportJWK, importJWK, SignJWT, type CryptoKey, type JWK } from "jose";
import { authenticateAgent } from "@/lib/auth/agents/authenticate";
import type { Caller } from "@/lib/auth/agents/caller";
import { issuerKeys } from "@/lib/auth/agents/issuer-keys";
import { testToken } from "@/lib/auth/agents/test-token";
import { rememberKeys } from "@/lib/auth/agents/remembered-keys";
import { AppError } from "@/lib/errors";
import { outboundClient } from "@/lib/outbound/fetch";
import { agentRow, type AgentRow } from "@/lib/resources/agent";
import { issuerRow, type IssuerRow } from "@/lib/resources/issuer";
import type { TokenCheck, TokenTestOutput } from "@/lib/contracts/people/token-test";
import { mintApiKey } from "@/lib/store/keys/credentials";
import { makeKey, startIssuer, type SigningKey, type TestIssuer } from "@/test/support/servers/issuer";

/** Seconds since the epoch at which everything here happens. */
const NOW = 1_800_000_000;
const meta = { revision: 1, createdAt: "2026-01-01T00:00:00.000Z", updatedAt: "2026-01-01T00:00:00.000Z" };

let corp: TestIssuer;
let partner: TestIssuer;
let attacker: TestIssuer;
let rsa: SigningKey;
let issuers: Map<string, IssuerRow>;
let agents: Map<string, AgentRow>;
let authenticate: (request: Request) => Promise<Caller>;
/** The result of an administrator's test of the token. */
let report: (token: string) => Promise<TokenTestOutput>;

function issuerNamed(name: string, fields: object): IssuerRow {
  return issuerRow.parse({ name, audience: "quartermaster", ...meta, ...fields });
}

function agentNamed(name: string, fields: object): AgentRow {
  return agentRow.parse({ name, ...meta, ...fields });
}

beforeAll(async () => {
  [corp, partner, attacker] = await Promise.all([startIssuer(), startIssuer(), startIssuer()]);
  rsa = await makeKey("RS256", "rsa-1");
  corp.keys.unshift(rsa);
  const weak = [rsaJwk(1024, 65_537, "weak-1024"), rsaJwk(2048, 3, "weak-e3")];
  issuers = new Map(
    [
      issuerNamed("corp", { issuer: corp.issuer, jwksUri: corp.jwksUri, algorithms: ["ES256", "RS256"] }),
      issuerNamed("partner", { issuer: partner.issuer, jwksUri: partner.jwksUri, allowUnregistered: false }),
      issuerNamed("off", { issuer: "https://off.example", jwksUri: corp.jwksUri, enabled: false }),
      issuerNamed("own", { issuer: "quartermaster", jwksUri: corp.jwksUri }),
      issuerNamed("fixed", {
        issuer: "https://fixed.example",
        jwks: { keys: [...weak.map((key) => key.jwk), corp.keys.at(-1)!.publicJwk] },
      }),
    ].map((row) => [row.name, row]),
  );
  agents = new Map(
    [
      agentNamed("bot", { issuer: "corp", subject: "bot-1", attributes: { team: "finance" } }),
      agentNamed("sleeper", { issuer: "corp", subject: "sleeper-1", enabled: false }),
      agentNamed("ally", { issuer: "partner", subject: "ally-1" }),
    ].map((row) => [row.name, row]),
  );
  const allow = [corp.host, partner.host];
  const registry = () => ({ revision: 1, issuers, agents, revocations: new Map<string, string>() });
  const sources = {
    registry: async () => registry(),
    verifyApiKey: rememberKeys(async () => null),
    keys: issuerKeys(outboundClient({ allow: () => allow }), () => NOW * 1000),
    now: () => NOW * 1000,
  };
  authenticate = authenticateAgent(sources);
  report = (token) => testToken(token, registry(), sources, []);
  weakKeys = weak;
});
afterAll(async () => {
  await Promise.all([corp.close(), partner.close(), attacker.close()]);
});

let weakKeys: { jwk: JWK; key: KeyObject }[];

function rsaJwk(bits: number, exponent: number, kid: string): { jwk: JWK; key: KeyObject } {
  const pair = generateKeyPairSync("rsa", { modulusLength: bits, publicExponent: exponent });
  return { jwk: { ...pair.publicKey.export({ format: "jwk" }), kid } as JWK, key: pair.privateKey };
}

function present(token: string): Promise<Caller> {
  return authenticate(
    new Request("http://localhost/api/agents/tools", { headers: { authorization: `Bearer ${token}` } }),
  );
}

const base64 = (value: string | Uint8Array) => Buffer.from(value).toString("base64url");
const json = (value: unknown) => base64(typeof value === "string" ? value : JSON.stringify(value));

/** A token from raw header and payload text, really signed with corp's ES256 key. */
async function raw(header: unknown, payload: unknown, key: CryptoKey = corp.keys.at(-1)!.privateKey): Promise<string> {
  const body = `${json(header)}.${json(payload)}`;
  const signature = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, key, Buffer.from(body));
  return `${body}.${base64(new Uint8Array(signature))}`;
}

const header = () => ({ alg: "ES256", kid: corp.keys.at(-1)!.kid, typ: "at+jwt" });
const claims = (more: object = {}) => ({
  iss: corp.issuer,
  aud: "quartermaster",
  sub: "s",
  iat: NOW,
  exp: NOW + 300,
  ...more,
});
const good = (more: Record<string, unknown> = {}, head: Record<string, unknown> = {}) =>
  corp.token(more, { now: NOW, header: head });
const rawText = (text: string) => raw(header(), text);
const swap = async (index: number, change: (segment: string) => string) =>
  (await good())
    .split(".")
    .map((segment, at) => (at === index ? change(segment) : segment))
    .join(".");

/** Everything a forger might try, and every way to be malformed: name → token. */
const forged: Record<string, () => Promise<string> | string> = {
  "alg none, no signature": () => `${json({ alg: "none" })}.${json(claims())}.`,
  "alg none with a signature": async () => `${json({ alg: "none" })}.${json(claims())}.${(await good()).split(".")[2]}`,
  "alg nOnE": async () => `${json({ ...header(), alg: "nOnE" })}.${json(claims())}.AAAA`,
  "alg missing": () => raw({ typ: "at+jwt", kid: header().kid }, claims()),
  "alg a list": () => raw({ ...header(), alg: ["ES256"] }, claims()),
  "HS256 keyed with the public key as PEM": async () => {
    const pem = generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey.export({ type: "spki", format: "pem" });
    return new SignJWT(claims()).setProtectedHeader({ ...header(), alg: "HS256" }).sign(Buffer.from(pem));
  },
  "HS256 keyed with the public key as JSON": () =>
    new SignJWT(claims())
      .setProtectedHeader({ ...header(), alg: "HS256" })
      .sign(Buffer.from(JSON.stringify(corp.keys.at(-1)!.publicJwk))),
  "HS256 keyed with nothing": () =>
    `${json({ ...header(), alg: "HS256" })}.${json(claims())}.${base64("x".repeat(32))}`,
  "an algorithm that the issuer is not configured for": async () => {
    const key = await makeKey("ES384", header().kid);
    return corp.token({}, { key, now: NOW });
  },
  "PS256 by an RS256 key": async () =>
    corp.token({}, { key: { ...rsa, alg: "PS256", privateKey: await pssOf(rsa.privateKey) }, now: NOW }),
  "RS256 in the header of an ES256 signature": async () => {
    const [, payload, signature] = (await good()).split(".");
    return `${json({ ...header(), alg: "RS256" })}.${payload}.${signature}`;
  },
  "typ of an ID token": () => good({}, { typ: "id+jwt" }),
  "typ of a logout token": () => good({}, { typ: "logout+jwt" }),
  "an ID token of the code flow, with a nonce and no at_hash": () => good({ nonce: "n" }, { typ: "JWT" }),
  "an ID token that says so, with a nonce": () => good({ nonce: "n", typ: "ID" }, { typ: "JWT" }),
  "older than its issuer's largest age, however late it expires": () =>
    good({ iat: NOW - 86_400 - 31, exp: NOW + 300 }),
  "without iat, and an exp beyond the largest age": () =>
    raw(header(), { ...claims({ exp: NOW + 86_400 + 31 }), iat: undefined }),
  "typ JOSE": () => good({}, { typ: "JOSE" }),
  "typ a number": () => raw({ ...header(), typ: 1 }, claims()),
  "kid unknown": () => good({}, { kid: "nobody" }),
  "kid a path": () => good({}, { kid: "../../../dev/null" }),
  "kid an injection": () => good({}, { kid: "' or '1'='1" }),
  "kid empty": () => good({}, { kid: "" }),
  "kid a number": () => raw({ ...header(), kid: 1 }, claims()),
  "kid __proto__": () => good({}, { kid: "__proto__" }),
  "an unknown key under a known kid": async () =>
    corp.token({}, { key: await makeKey("ES256", header().kid), now: NOW }),
  "an embedded jwk": async () => {
    const key = attacker.keys[0]!;
    return corp.token({}, { key, now: NOW, header: { jwk: key.publicJwk } });
  },
  "a jku of the forger": () =>
    corp.token({}, { key: attacker.keys[0]!, now: NOW, header: { jku: attacker.jwksUri, kid: "key-1" } }),
  "an x5u of the forger": () =>
    corp.token({}, { key: attacker.keys[0]!, now: NOW, header: { x5u: `${attacker.issuer}/cert`, kid: "key-1" } }),
  "an embedded x5c": () => corp.token({}, { key: attacker.keys[0]!, now: NOW, header: { x5c: [base64("cert")] } }),
  "another configured issuer's key": () => corp.token({}, { key: partner.keys[0]!, now: NOW }),
  "another configured issuer's key, no kid": () =>
    corp.token({}, { key: partner.keys[0]!, now: NOW, header: { kid: undefined } }),
  "this issuer's key in another issuer's name": () => good({ iss: partner.issuer, sub: "ally-1" }),
  "an issuer that nobody configured": () => attacker.token({}, { now: NOW }),
  "iss with a trailing slash": () => good({ iss: `${corp.issuer}/` }),
  "iss in capitals": () => good({ iss: corp.issuer.toUpperCase() }),
  "iss missing": () => good({ iss: undefined }),
  "iss a list": () => good({ iss: [corp.issuer] }),
  "iss of a disabled issuer": () => good({ iss: "https://off.example" }),
  "iss of our own keys": () => good({ iss: "quartermaster" }),
  "aud of somebody else": () => good({ aud: "other" }),
  "aud missing": () => good({ aud: undefined }),
  "aud a prefix": () => good({ aud: "quartermaster-admin" }),
  "aud in capitals": () => good({ aud: "Quartermaster" }),
  "aud a list without us": () => good({ aud: ["a", "b"] }),
  "aud an empty list": () => good({ aud: [] }),
  expired: () => good({ exp: NOW - 3600 }),
  "expired by exactly the skew": () => good({ exp: NOW - 30 }),
  "exp missing": () => good({ exp: undefined }),
  "exp a text": () => raw(header(), claims({ exp: String(NOW + 300) })),
  "exp null": () => raw(header(), claims({ exp: null })),
  "exp infinite": () => rawText(JSON.stringify(claims({ exp: 0 })).replace('"exp":0', '"exp":1e999')),
  "not valid yet": () => good({ nbf: NOW + 31 }),
  "nbf a text": () => raw(header(), claims({ nbf: "now" })),
  "issued in the future": () => good({ iat: NOW + 31 }),
  "sub missing": () => good({ sub: undefined }),
  "sub empty": () => good({ sub: "" }),
  "sub a number": () => raw(header(), claims({ sub: 7 })),
  "sub with NUL": () => good({ sub: "a\0b" }),
  "sub of 513 characters": () => good({ sub: "a".repeat(513) }),
  "half a surrogate in a claim": () => rawText(JSON.stringify(claims({ x: "?" })).replace('"?"', '"\\ud800"')),
  "an ID token by its at_hash": () => good({ at_hash: "x" }),
  "an ID token by its typ claim": () => good({ typ: "ID" }),
  "a refresh token by its typ claim": () => good({ typ: "Refresh" }),
  "an ID token by its token_use claim": () => good({ token_use: "id" }),
  "a critical extension": () => raw({ ...header(), crit: ["exp"] }, claims()),
  "an empty crit": () => raw({ ...header(), crit: [] }, claims()),
  "b64 false": () => raw({ ...header(), b64: false, crit: ["b64"] }, claims()),
  "payload changed": () => swap(1, () => json(claims({ sub: "admin" }))),
  "header changed": () => swap(0, () => json({ ...header(), extra: 1 })),
  "one bit of the signature changed": () => swap(2, (text) => base64(flip(Buffer.from(text, "base64url")))),
  "signature empty": () => swap(2, () => ""),
  "signature cut": () => swap(2, (text) => text.slice(0, 43)),
  "signature of zeros (r = s = 0)": () => swap(2, () => base64(Buffer.alloc(64))),
  "signature in DER form": async () => {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    return swap(2, () => base64(sign("sha256", Buffer.from("x"), privateKey)));
  },
  "RSA of 1024 bits": () => rsaSigned(0),
  "RSA with exponent 3": () => rsaSigned(1),
  "a name twice in the payload": () => rawText(`{"sub":"admin",${JSON.stringify(claims()).slice(1)}`),
  "a name twice in the payload, escaped": () => rawText(`{"s\\u0075b":"admin",${JSON.stringify(claims()).slice(1)}`),
  "a name twice inside a claim": () => rawText(JSON.stringify(claims({ a: 0 })).replace('"a":0', '"a":{"b":1,"b":2}')),
  "a name twice in the header": () => raw(`{"alg":"none",${JSON.stringify(header()).slice(1)}`, claims()),
  "payload a list": () => raw(header(), [claims()]),
  "payload a text": () => rawText('"claims"'),
  "payload not JSON": () => rawText("{iss:1}"),
  "payload empty": () => swap(1, () => ""),
  "payload not UTF-8": async () => raw(header(), Buffer.from([0x7b, 0xff, 0x7d]).toString("latin1")),
  "payload with a byte order mark": () => rawText(`\ufeff${JSON.stringify(claims())}`),
  "header not base64url": () => swap(0, (text) => `${text.slice(0, -1)}=`),
  "padded segments": () => swap(1, (text) => `${text}==`),
  "loose last bits in the signature": () =>
    swap(2, (text) => text.slice(0, -1) + (text.endsWith("A") ? "B" : nextOf(text))),
  "a blank inside": () => swap(1, (text) => `${text.slice(0, 4)}%20${text.slice(4)}`),
  "four segments": async () => `${await good()}.AAAA`,
  "two segments": async () => (await good()).split(".").slice(0, 2).join("."),
  "five segments (encrypted)": () => "a.b.c.d.e",
  "nothing but dots": () => "..",
  "longer than 16 KiB": () => good({ pad: "x".repeat(16 * 1024) }),
  "claims nested too deep": () => good({ deep: [[[[[[[[[1]]]]]]]]] }),
  "jti a number": () => raw(header(), claims({ jti: 5 })),
  "a subject that is not registered, where only registered ones are served": () =>
    partner.token({ sub: "stranger" }, { now: NOW }),
  "a disabled agent": () => good({ sub: "sleeper-1" }),
  "a personal access token": () => "qmp_abcdefghijkmnpqrstuvwxyz23456789abcdefgh_00000000",
  "an API key with a wrong checksum": () => "qm_abcdefghijkm_abcdefghijkmnpqrstuvwxyz23456789abcdefgh_00000000",
  words: () => "let-me-in",
};

/** The same RSA key, for the other padding. */
async function pssOf(key: CryptoKey): Promise<CryptoKey> {
  return (await importJWK({ ...(await exportJWK(key)), alg: "PS256" }, "PS256")) as CryptoKey;
}

function flip(bytes: Buffer): Buffer {
  bytes[10] = (bytes[10] ?? 0) ^ 1;
  return bytes;
}

/** 64 bytes end in two bits that carry no data: another last character decodes to the same bytes. */
function nextOf(text: string): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  return alphabet[alphabet.indexOf(text.at(-1) ?? "A") + 1] ?? "B";
}

function rsaSigned(index: number): string {
  const { jwk, key } = weakKeys[index]!;
  const body = `${json({ alg: "RS256", kid: jwk.kid, typ: "jwt" })}.${json(claims({ iss: "https://fixed.example" }))}`;
  return `${body}.${base64(sign("sha256", Buffer.from(body), key))}`;
}

describe("a token that is forged or malformed", () => {
  it.each(Object.entries(forged))("is refused: %s", async (_name, make) => {
    const token = await make();
    const error = await present(token).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code: "unauthenticated", status: 401 });
    expect((error as AppError).headers["www-authenticate"]).toMatch(/^Bearer realm="quartermaster"/);
    const { accepted, claims: believed, checks } = await report(token);
    expect([accepted, believed]).toEqual([false, null]);
    const verdicts = checks.map(({ verdict }) => verdict);
    expect(verdicts.join(" ")).toMatch(/^(passed )*failed( skipped)*$/);
  });

  it("is tried in at least forty ways", () => expect(Object.keys(forged).length).toBeGreaterThanOrEqual(40));

  it("never makes us request an address that it names", () => expect(attacker.fetches()).toBe(0));
});

describe("a request without a credential in its place", () => {
  const from = (url: string, headers: Record<string, string> = {}) => authenticate(new Request(url, { headers }));

  it("is refused, and the answer names the right place for it", async () => {
    await expect(from("http://localhost/x")).rejects.toMatchObject({ code: "unauthenticated" });
    const token = await good();
    await expect(from(`http://localhost/x?access_token=${token}`)).rejects.toMatchObject({
      code: "unauthenticated",
      message: expect.stringContaining("never in the URL"),
    });
  });

  it.each(["Basic dXNlcjpwYXNz", "Bearer", "Bearer ", "Bearer a b", "Bearer a, Bearer b", "Token x", "bearer\tx"])(
    "is refused: %s",
    (authorization) =>
      expect(from("http://localhost/x", { authorization })).rejects.toMatchObject({ code: "unauthenticated" }),
  );
});

describe("a good token", () => {
  it("is authenticated with its claims, as the subject that it names", async () => {
    const caller = await present(await good({ realm_access: { roles: ["staff"] }, jti: "j-1" }));
    expect(caller).toMatchObject({
      claims: { sub: "subject-1", realm_access: { roles: ["staff"] } },
      agent: null,
      issuer: { name: "corp" },
      principal: { issuer: corp.issuer, subject: "subject-1", agent: null },
      credential: { kind: "jwt", jti: "j-1", expiresAt: (NOW + 300) * 1000 },
    });
  });

  const accepted: Record<string, () => Promise<string>> = {
    "typ jwt": () => good({}, { typ: "JWT" }),
    "no typ": () => good({}, { typ: undefined }),
    "typ as a media type": () => good({}, { typ: "application/at+jwt" }),
    "among several audiences": () => good({ aud: ["a", "quartermaster"] }),
    "expired within the skew": () => good({ exp: NOW - 29 }),
    "valid within the skew": () => good({ nbf: NOW + 30 }),
    "as old as its issuer allows": () => good({ iat: NOW - 86_400 }),
    "without iat, and an exp within the largest age": () =>
      raw(header(), { ...claims({ sub: "subject-1" }), iat: undefined }),
    "with a nonce, and a type that only access tokens have": () => good({ nonce: "n" }),
    "with a nonce, and a claim that it is an access token": () => good({ nonce: "n", typ: "Bearer" }, { typ: "JWT" }),
    "by another key of its issuer": () => corp.token({}, { key: rsa, now: NOW }),
    "without kid, one key fits": () => corp.token({}, { key: rsa, now: NOW, header: { kid: undefined } }),
    "with ignored hints to other keys": () => good({}, { jku: attacker.jwksUri, x5u: attacker.issuer }),
    "of an issuer with static keys": () => good({ iss: "https://fixed.example" }),
  };
  it.each(Object.entries(accepted))("is accepted: %s", async (_name, make) => {
    const token = await make();
    await expect(present(token)).resolves.toMatchObject({ principal: { subject: "subject-1" } });
    const { accepted: taken, checks } = await report(token);
    expect([taken, ...new Set(checks.map(({ verdict }) => verdict))]).toEqual([true, "passed"]);
  });

  const failing: [string, TokenCheck, () => Promise<string> | string, RegExp][] = [
    ["of four segments", "form", async () => `${await good()}.AAAA`, /not three segments/],
    ["that is an API key", "form", () => mintApiKey().key, /credential of Quartermaster/],
    ["of another iss", "issuer", () => good({ iss: `${corp.issuer}/` }), /exactly this value/],
    ["by HS256", "algorithm", () => `${json({ alg: "HS256" })}.${json(claims())}.AAAA`, /"HS256".*ES256, RS256/],
    ["of typ id+jwt", "type", () => good({}, { typ: "id+jwt" }), /"id\+jwt"/],
    [
      "of an unknown kid",
      "key",
      () => good({}, { kid: "nobody" }),
      /"nobody".*fetched 0 s ago: `rsa-1` \(RSA\); `key-1`/,
    ],
    ["by a short RSA key", "key", () => rsaSigned(0), /`weak-1024` \(RSA\), left out: RSA of 1024 bits/],
    ["with a changed payload", "signature", () => swap(1, () => json(claims({ sub: "admin" }))), /not signed/],
    ["of another aud", "audience", () => good({ aud: "other" }), /"other".*`quartermaster`/],
    ["that expired", "expiry", () => good({ exp: NOW - 60 }), /has expired.*2027-01-15T07:59:00/],
    ["not valid yet", "notBefore", () => good({ nbf: NOW + 60 }), /future/],
    [
      "that is too old",
      "issuedAt",
      () => good({ iat: NOW - 90_000 }),
      /older than its issuer allows.*accepted for 86400 s/,
    ],
    ["issued later", "issuedAt", () => good({ iat: NOW + 60 }), /future/],
    ["without sub", "subject", () => good({ sub: undefined }), /missing/],
    ["with a jti of 5", "tokenId", () => raw(header(), claims({ jti: 5 })), /`jti`/],
    ["that is an ID token", "purpose", () => good({ at_hash: "x" }), /at_hash/],
    ["nested too deep", "claims", () => good({ deep: [[[[[[[[[1]]]]]]]]] }), /claims/],
    ["of a stranger", "agent", () => partner.token({ sub: "stranger" }, { now: NOW }), /not served/],
    ["of a disabled agent", "agent", () => good({ sub: "sleeper-1" }), /`sleeper`, which is disabled/],
  ];
  it.each(failing)("%s is rejected at the check `%s`, with a plain explanation", async (_what, check, make, says) => {
    const { checks } = await report(await make());
    expect(checks.find(({ verdict }) => verdict === "failed")).toMatchObject({
      check,
      says: expect.stringMatching(says),
    });
  });

  it("tested shows the claims that policies read, without secrets, and that keys in its header are ignored", async () => {
    const token = await good({ sub: "bot-1", access_token: "x", scope: "a b" }, { jku: attacker.jwksUri });
    const { claims: read, checks, agent, issuer } = await report(`Bearer ${token}`);
    expect(read).toMatchObject({ sub: "bot-1", access_token: "[redacted]", qm: { agent: { team: "finance" } } });
    expect([issuer, agent]).toEqual(["corp", "bot"]);
    expect(checks.find(({ check }) => check === "ownKeys")?.says).toMatch(/`jku`\. Quartermaster never reads it/);
    expect(attacker.fetches()).toBe(0);
  });

  it("is the same after it was tested: a test makes no fetch beyond the endpoint's own", async () => {
    const before = corp.fetches();
    for (let round = 0; round < 20; round += 1) await report(await good({}, { kid: `nobody-${round}` }));
    expect(corp.fetches()).toBe(before);
  });

  it("of a registered agent carries the agent's attributes under qm.agent", async () => {
    const caller = await present(await good({ sub: "bot-1", qm: { agent: { team: "forged" } } }));
    expect(caller.agent?.name).toBe("bot");
    expect(caller.principal.agent).toBe("bot");
    expect(caller.claims["qm"]).toEqual({ agent: { team: "finance" } });
  });

  it("of an unregistered subject cannot set qm.agent", async () => {
    const caller = await present(await good({ qm: { agent: { team: "forged" } } }));
    expect(caller.claims).not.toHaveProperty("qm");
  });

  it("of a registered subject is accepted where only registered ones are", async () => {
    const caller = await present(await partner.token({ sub: "ally-1" }, { now: NOW }));
    expect(caller.agent?.name).toBe("ally");
  });

  it("is refused as soon as its agent or issuer is disabled", async () => {
    const token = await good({ sub: "bot-1" });
    await present(token);
    const [before, row] = [agents, agents.get("bot")!];
    agents = new Map(agents).set("bot", { ...row, enabled: false });
    await expect(present(token)).rejects.toMatchObject({ code: "unauthenticated" });
    agents = before;
    const issuer = issuers.get("corp")!;
    issuers.set("corp", { ...issuer, enabled: false });
    await expect(present(token)).rejects.toMatchObject({ code: "unauthenticated" });
    issuers.set("corp", issuer);
    await present(token);
  });
});
