import { randomUUID } from "node:crypto";
import { decodeJwt, exportJWK, generateKeyPair, type CryptoKey, type JWTPayload } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { clients } from "@/lib/store/config/clients";
import { issuers } from "@/lib/store/config/issuers";
import { sweepOAuthRows } from "@/lib/store/oauth/oauth-rows";
import { revokeToken } from "@/lib/store/keys/revocations";
import { issuerInput } from "@/lib/resources/issuer";
import { ADMIN, save, supportDocument } from "@/test/api/agents-world";
import { CLIENT, clientAssertion, listStatus, useGateway, RESOURCE, token } from "@/test/api/oauth/world";
import { allowOutbound } from "@/test/support/allow-outbound";
import { useDatabase } from "@/test/support/database";
import { addPerson, ORIGIN } from "@/test/support/person";
import { makeKey } from "@/test/support/servers/issuer";
import { openBrowser, REDIRECT_URI } from "@/test/support/servers/openid-browser";
import { CLIENT as RELYING_PARTY, startOpenIdProvider } from "@/test/support/servers/openid-provider";
import type { OpenIdTestProvider } from "@/test/support/servers/openid-provider";

const database = useDatabase();
let provider: OpenIdTestProvider;
let key: CryptoKey;

const GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const TYPE = { typ: "oauth-id-jag+jwt" };
const ADA = { email: "ada@example.com", name: "Ada", preferred_username: "ada", groups: ["qm-editors", "tier-1"] };

/** The support team; people of the group tier-1 own the agent reader. */
function ownedDocument(...owned: readonly string[]): Record<string, unknown> {
  const document = supportDocument() as { agents: { name: string }[] };
  const agents = document.agents.map((row) => (owned.includes(row.name) ? { ...row, ownerGroups: ["tier-1"] } : row));
  return { ...document, agents };
}

beforeAll(async () => {
  provider = await startOpenIdProvider({ redirectUri: REDIRECT_URI, refreshTokens: true });
  // Before anything reads the environment.
  Object.assign(process.env, {
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: RELYING_PARTY.id,
    OIDC_CLIENT_SECRET: RELYING_PARTY.secret,
    OIDC_ADMIN_GROUPS: "qm-admins",
    OIDC_EDITOR_GROUPS: "qm-editors",
  });
  allowOutbound(provider.host);
  await addPerson({ email: "root@example.com", name: "root", role: "admin" });
  await save(ownedDocument("reader"));
  provider.accounts.set("sub-ada", ADA);
  await openBrowser().signIn("sub-ada");
  const pair = await generateKeyPair("ES256");
  key = pair.privateKey;
  const jwks = { keys: [{ ...(await exportJWK(pair.publicKey)), kid: "one", alg: "ES256" }] } as never;
  const client = { description: "Desk app", enabled: true, redirectUris: ["http://127.0.0.1/callback"], agent: null };
  await clients.create(ADMIN, { ...client, name: "desk", jwks });
  await clients.create(ADMIN, { ...client, name: "other", jwks });
  await clients.create(ADMIN, { ...client, name: "public", jwks: null });
  await trust("idp", provider.issuer, { identityAssertions: true });
});
const gateway = useGateway();
afterAll(async () => {
  await provider.close();
});
beforeEach(() => database.query('update person set "openIdRefused" = false'));

/** Adds an issuer with the provider's key set. */
async function trust(name: string, issuer: string, more: object): Promise<void> {
  const row = { name, issuer, audience: "quartermaster", jwksUri: `${provider.issuer}/jwks`, ...more };
  await issuers.create(ADMIN, issuerInput.parse(row));
}

const seconds = () => Math.floor(Date.now() / 1000);

/** The claims of an ID-JAG for Ada and the client desk. */
function claims(changes: JWTPayload = {}): JWTPayload {
  const now = seconds();
  return {
    iss: provider.issuer,
    sub: "sub-ada",
    aud: ORIGIN,
    client_id: "desk",
    resource: RESOURCE,
    jti: randomUUID(),
    iat: now,
    exp: now + 300,
    scope: "tools",
    ...changes,
  };
}

const idJag = (changes: JWTPayload = {}) => provider.sign(claims(changes), TYPE);

/** Redeems an assertion as a client that signs its request. */
async function redeem(
  assertion: string,
  { client = "desk", ...more }: Record<string, string> = {},
): ReturnType<typeof token> {
  const authentication = await clientAssertion(client, key);
  return token(gateway, { grant_type: GRANT, assertion, ...authentication, ...more });
}

describe("an ID-JAG of an allowed issuer", () => {
  it("yields a token of the person as their agent, without a refresh token", async () => {
    const { status, json } = await redeem(await idJag());
    expect([status, json]).toMatchObject([200, { token_type: "Bearer", expires_in: 600, scope: "tools" }]);
    expect(json).not.toHaveProperty("refresh_token");
    const access = String(json["access_token"]);
    const [ada] = await database.query<{ id: string }>(`select id from person where name = 'ada'`);
    expect(decodeJwt(access)).toMatchObject({
      iss: ORIGIN,
      aud: RESOURCE,
      sub: ada?.id,
      client_id: "desk",
      act: { sub: "reader" },
      amr: ["fed"],
    });
    expect(await listStatus(gateway, access)).toBe(200);
    await database.query(`delete from connection`);
    await save(ownedDocument("reader"));
  });

  it("uses one connection for all of them, and its token ends with the connection", async () => {
    const first = String((await redeem(await idJag())).json["access_token"]);
    const second = String((await redeem(await idJag())).json["access_token"]);
    expect(decodeJwt(first)["grant"]).toBe(decodeJwt(second)["grant"]);
    expect(await database.query(`select client, agent from connection`)).toEqual([{ client: "desk", agent: "reader" }]);
    const authors = await database.query(`select distinct actor from change where resource = 'connections'`);
    expect(authors).toEqual([{ actor: `identity assertion of ${provider.issuer}` }]);
  });

  it("is in the metadata while an issuer is allowed it", async () => {
    const metadata = async () => (await gateway.send("/.well-known/oauth-authorization-server")).json();
    expect(await metadata()).toMatchObject({
      grant_types_supported: expect.arrayContaining([GRANT]) as string[],
      authorization_grant_profiles_supported: ["urn:ietf:params:oauth:grant-profile:id-jag"],
    });
    await allow(false);
    const without = (await metadata()) as Record<string, unknown>;
    expect(without["grant_types_supported"]).not.toContain(GRANT);
    expect(without).not.toHaveProperty("authorization_grant_profiles_supported");
    expect((await redeem(await idJag())).json).toMatchObject({ error: "invalid_grant" });
    await allow(true);
  });

  it("works once: 20 uses at once yield one token", async () => {
    const assertion = await idJag();
    const answers = await Promise.all(Array.from({ length: 20 }, () => redeem(assertion)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(answers.filter(({ status }) => status !== 200).map(({ json }) => json["error"]))).toEqual(
      new Set(["invalid_grant"]),
    );
    await database.query(`update oauth_row set "expiresAt" = "expiresAt" - interval '1 minute'`);
    expect((await redeem(assertion)).json).toMatchObject({ error: "invalid_grant" });
  });

  it("works once, also in the seconds after its end in which it is still accepted", async () => {
    const now = seconds();
    const assertion = await idJag({ iat: now - 100, exp: now - 5 });
    expect((await redeem(assertion)).status).toBe(200);
    // The assertion is accepted until 30 s after its end.
    await sweepOAuthRows(new Date((now + 25) * 1000));
    expect((await redeem(assertion)).json).toMatchObject({ error_description: "The assertion was used before." });
  });

  it("opens nothing as an access token", async () => {
    expect(await listStatus(gateway, await idJag())).toBe(401);
    expect(await listStatus(gateway, await idJag({ aud: "quartermaster" }))).toBe(401);
  });
});

/** Allows or forbids the issuer identity assertions. */
async function allow(identityAssertions: boolean, enabled = true): Promise<void> {
  const { revision, createdAt: _created, updatedAt: _updated, ...row } = await issuers.get("idp");
  await issuers.replace(ADMIN, "idp", { ...row, identityAssertions, enabled }, revision);
}

describe("refuses", () => {
  const forged: readonly (readonly [string, () => Promise<string>])[] = [
    ["another audience", () => idJag({ aud: "https://other.example.com" })],
    ["our resource as the audience", () => idJag({ aud: RESOURCE })],
    ["several audiences", () => idJag({ aud: [ORIGIN, "https://other.example.com"] })],
    ["no audience", () => provider.sign(omit("aud"), TYPE)],
    ["another client", () => idJag({ client_id: "other" })],
    ["no client", () => provider.sign(omit("client_id"), TYPE)],
    ["another resource", () => idJag({ resource: `${ORIGIN}/api/agents` })],
    ["a list of resources", () => idJag({ resource: [RESOURCE] })],
    ["no resource", () => provider.sign(omit("resource"), TYPE)],
    ["no jti", () => provider.sign(omit("jti"), TYPE)],
    ["an empty jti", () => idJag({ jti: "" })],
    ["an expired one", () => idJag({ iat: seconds() - 400, exp: seconds() - 60 })],
    ["one without an end", () => provider.sign(omit("exp"), TYPE)],
    ["one that is valid for a day", () => idJag({ exp: seconds() + 86_400 })],
    ["one that was issued an hour ago", () => idJag({ iat: seconds() - 3_600 })],
    ["one of the future", () => idJag({ iat: seconds() + 3_600 })],
    ["an unknown person", () => idJag({ sub: "sub-eve" })],
    ["a person's name instead of the subject", () => idJag({ sub: "ada" })],
    ["no subject", () => provider.sign(omit("sub"), TYPE)],
    ["another issuer", () => idJag({ iss: "https://evil.example.com" })],
    ["our own issuer", () => idJag({ iss: ORIGIN })],
    ["the type of an access token", () => provider.sign(claims(), { typ: "at+jwt" })],
    ["the type JWT", () => provider.sign(claims(), { typ: "JWT" })],
    ["no type", () => provider.sign(claims(), {})],
    ["another key", async () => provider.sign(claims(), TYPE, await makeKey("ES256", "key-1"))],
    ["an unsigned one", async () => `${encode({ alg: "none", ...TYPE })}.${encode(claims())}.`],
    ["a changed one", changed],
    ["no JWT", async () => "nothing"],
  ];
  it.each(forged)("%s", async (_what, make) => {
    const { status, json } = await redeem(await make());
    expect([status, json["error"]]).toEqual([400, "invalid_grant"]);
  });

  it.each<[string, () => Promise<string>]>([
    ["The assertion was issued for another client.", () => idJag({ client_id: "other" })],
    ["The assertion was issued for another resource.", () => idJag({ resource: ORIGIN })],
    ["The assertion's subject is not a person who may sign in here.", () => idJag({ sub: "sub-eve" })],
  ])("with the reason: %s", async (reason, make) => {
    expect((await redeem(await make())).json).toEqual({ error: "invalid_grant", error_description: reason });
  });

  it("an issuer that is trusted for agents only, and one that is disabled", async () => {
    await trust("agents-only", "https://agents.example.com", {});
    expect((await redeem(await idJag({ iss: "https://agents.example.com" }))).json).toMatchObject({
      error: "invalid_grant",
    });
    await allow(true, false);
    expect((await redeem(await idJag())).json).toMatchObject({ error: "invalid_grant" });
    await allow(true);
  });

  it("a revoked one", async () => {
    const jti = randomUUID();
    await revokeToken(ADMIN, "idp", { jti, until: null, reason: "" });
    expect((await redeem(await idJag({ jti }))).json).toMatchObject({ error: "invalid_grant" });
  });

  it("a disabled person, and one whom the provider refused", async () => {
    for (const column of ["enabled = false", `"openIdRefused" = true`]) {
      await database.query(`update person set ${column} where name = 'ada'`);
      expect((await redeem(await idJag())).json).toMatchObject({ error: "invalid_grant" });
      await database.query(`update person set enabled = true, "openIdRefused" = false where name = 'ada'`);
    }
  });

  it("a person whose groups were checked too long ago: the provider is asked again, and without a grant nobody gets in", async () => {
    const old = `update person set "openIdRefused" = false, "openIdCheckedAt" = now() - interval '1 year'`;
    await database.query(old);
    expect((await redeem(await idJag())).status).toBe(200);
    provider.accounts.set("sub-ada", { ...ADA, groups: [] });
    await database.query(old);
    expect((await redeem(await idJag())).json).toMatchObject({ error: "invalid_grant" });
    provider.accounts.set("sub-ada", ADA);
    await database.query(`${old}, "openIdGrant" = null`);
    expect((await redeem(await idJag())).json).toMatchObject({ error: "invalid_grant" });
    await openBrowser().signIn("sub-ada");
    expect((await redeem(await idJag())).status).toBe(200);
  });

  it("a person who owns no agent, and one who owns several and never connected the client", async () => {
    await save(ownedDocument());
    expect((await redeem(await idJag({ client_id: "other" }), { client: "other" })).json).toMatchObject({
      error: "invalid_grant",
    });
    await save(ownedDocument("reader", "refunder"));
    expect((await redeem(await idJag({ client_id: "other" }), { client: "other" })).json).toMatchObject({
      error: "invalid_grant",
    });
    // The connection of the client says which agent.
    expect((await redeem(await idJag())).status).toBe(200);
    await save(ownedDocument("reader"));
  });

  it("a scope that the assertion does not allow, and another resource in the request", async () => {
    expect((await redeem(await idJag(), { scope: "admin" })).json).toMatchObject({ error: "invalid_scope" });
    expect((await redeem(await idJag({ scope: "other" }))).json).toMatchObject({ error: "invalid_scope" });
    expect((await redeem(await idJag(), { resource: ORIGIN })).json).toMatchObject({ error: "invalid_target" });
  });

  it("an assertion without the scope that every token has", async () => {
    const document = ownedDocument("reader") as { tools: { name: string }[] };
    const tools = document.tools.map((row) => (row.name === "calculate" ? { ...row, requiredScopes: ["math"] } : row));
    await save({ ...document, tools });
    expect((await redeem(await idJag({ scope: "math" }))).json).toMatchObject({ error: "invalid_scope" });
    const { json } = await redeem(await idJag({ scope: "tools math" }), { scope: "math" });
    expect(json).toMatchObject({ scope: "tools math" });
    await save(ownedDocument("reader"));
  });

  it("a client without a key, and a client document that does not name the grant type", async () => {
    for (const client of ["public", CLIENT]) {
      const form = { grant_type: GRANT, client_id: client, assertion: await idJag({ client_id: client }) };
      const { status, json } = await token(gateway, form);
      expect([status >= 400, json["access_token"]]).toEqual([true, undefined]);
    }
    const form = { grant_type: GRANT, client_id: "desk", assertion: await idJag() };
    expect((await token(gateway, form)).json).toMatchObject({ error: "invalid_client" });
  });

  it("a request without an assertion", async () => {
    expect((await redeem("")).status).toBe(400);
  });
});

/** The claims without one of them. */
function omit(name: string): JWTPayload {
  return Object.fromEntries(Object.entries(claims()).filter(([claim]) => claim !== name));
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

/** A signed assertion whose subject was changed afterwards. */
async function changed(): Promise<string> {
  const [head = "", , signature = ""] = (await idJag()).split(".");
  return `${head}.${encode(claims({ sub: "sub-root" }))}.${signature}`;
}
