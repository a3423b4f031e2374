import { beforeAll, describe, expect, it } from "vitest";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { OAUTH_PATHS } from "@/lib/agents/oauth/paths";
import { oauthWith } from "@/lib/agents/oauth/server";
import { save, supportDocument } from "@/test/api/agents-world";
import {
  answerAs,
  authorizationQuery,
  authorize,
  begin,
  CALLBACK,
  CLIENT,
  connectAs,
  listStatus,
  useGateway,
  pkce,
  redemption,
  refreshing,
  RESOURCE,
  token,
} from "@/test/api/oauth/world";
import { useDatabase } from "@/test/support/database";
import { ORIGIN } from "@/test/support/person";
import { statementsOf } from "@/test/support/statements";

const database = useDatabase();

beforeAll(() => save(supportDocument()));
const gateway = useGateway();

describe("metadata", () => {
  it.each(["oauth-authorization-server", "openid-configuration"])("%s answers alike in both forms", async (name) => {
    const forms = await Promise.all(
      ["", "/mcp"].map(async (suffix) => (await gateway.send(`/.well-known/${name}${suffix}`)).json()),
    );
    expect(forms[0]).toEqual(forms[1]);
    expect(forms[0]).toMatchObject({
      issuer: ORIGIN,
      authorization_endpoint: `${ORIGIN}/oauth/authorize`,
      token_endpoint: `${ORIGIN}/oauth/token`,
      revocation_endpoint: `${ORIGIN}/oauth/revoke`,
      jwks_uri: `${ORIGIN}/oauth/jwks`,
      code_challenge_methods_supported: ["S256"],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
      scopes_supported: ["tools"],
      response_types_supported: ["code"],
    });
  });

  it("the resource names the server, in both forms and in the challenge of a 401", async () => {
    for (const suffix of ["", "/mcp"]) {
      const answered = await gateway.send(`/.well-known/oauth-protected-resource${suffix}`);
      expect(await answered.json()).toMatchObject({
        resource: RESOURCE,
        authorization_servers: [ORIGIN],
        scopes_supported: ["tools"],
      });
    }
    const refused = await gateway.send("/mcp", { method: "POST" });
    expect(refused.status).toBe(401);
    expect(refused.headers.get("www-authenticate")).toContain(
      `resource_metadata="${ORIGIN}/.well-known/oauth-protected-resource/mcp"`,
    );
  });

  it("publishes only public keys", async () => {
    const { keys } = (await (await gateway.send("/oauth/jwks")).json()) as { keys: object[] };
    expect(keys).toMatchObject([{ kty: "EC", crv: "P-256", alg: "ES256" }]);
    expect(keys[0]).not.toHaveProperty("d");
  });
});

describe("a person connects a client", () => {
  it("gets a token that opens the agent API and /mcp, with ids only", async () => {
    const { access } = await connectAs(gateway, "reader");
    expect(decodeProtectedHeader(access)).toMatchObject({ alg: "ES256", typ: "at+jwt" });
    const claims = decodeJwt(access);
    expect(claims).toMatchObject({
      iss: ORIGIN,
      aud: RESOURCE,
      client_id: CLIENT,
      act: { sub: "reader" },
      amr: ["pwd"],
      scope: "tools",
    });
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(600);
    expect(Object.keys(claims).toSorted()).toEqual(
      ["act", "amr", "aud", "client_id", "exp", "grant", "iat", "iss", "jti", "scope", "sub"].toSorted(),
    );
    const listed = await gateway.send("/api/agents/tools", { headers: { authorization: `Bearer ${access}` } });
    expect(((await listed.json()) as { data: unknown[] }).data.length).toBeGreaterThan(0);
    const initialized = await gateway.send("/mcp", {
      method: "POST",
      headers: {
        authorization: `Bearer ${access}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 0,
        method: "initialize",
        params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
      }),
    });
    expect(initialized.status).toBe(200);
  });

  it("the answer carries state and iss, and the loopback port is free", async () => {
    const { challenge } = pkce();
    const query = authorizationQuery(challenge, { redirect_uri: "http://127.0.0.1:55555/callback" });
    const sent = await authorize(gateway, query, { agent: "reader" });
    expect(sent.origin + sent.pathname).toBe("http://127.0.0.1:55555/callback");
    expect(Object.fromEntries(sent.searchParams)).toMatchObject({ state: "the-state", iss: ORIGIN });
    expect(sent.searchParams.get("code")).toHaveLength(43);
  });

  it("rotates refresh tokens; the old one later ends the connection", async () => {
    const first = await connectAs(gateway, "reader");
    const second = await token(gateway, refreshing(first.refresh));
    expect(second.status).toBe(200);
    expect(second.json["refresh_token"]).not.toBe(first.refresh);
    const access = String(second.json["access_token"]);
    expect(await listStatus(gateway, access)).toBe(200);
    expect((await token(gateway, refreshing(first.refresh))).json).toMatchObject({ error: "invalid_grant" });
    expect(await listStatus(gateway, access)).toBe(200);
    await database.query(`update oauth_row set "consumedAt" = "consumedAt" - interval '1 minute'`);
    expect((await token(gateway, refreshing(first.refresh))).json).toMatchObject({ error: "invalid_grant" });
    expect(await listStatus(gateway, access)).toBe(401);
    expect((await token(gateway, refreshing(String(second.json["refresh_token"])))).status).toBe(400);
  });

  it("the database holds neither a code nor a refresh token", async () => {
    const { refresh } = await connectAs(gateway, "reader");
    const rows = await database.query<{ text: string }>(`select oauth_row::text as text from oauth_row`);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.some(({ text }) => text.includes(refresh))).toBe(false);
  });

  it("who declines sends the client access_denied", async () => {
    const sent = await authorize(gateway, authorizationQuery(pkce().challenge), { agent: null });
    expect(Object.fromEntries(sent.searchParams)).toMatchObject({ error: "access_denied", state: "the-state" });
  });

  it("only owners and admins choose an agent", async () => {
    const { uid, cookies } = await begin(gateway, authorizationQuery(pkce().challenge));
    const refused = await answerAs(uid, { agent: "reader", role: "editor", cookies });
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain("You are not an owner of the agent `reader`.");
    const owned = supportDocument() as { agents: { name: string }[] };
    const agents = owned.agents.map((row) => (row.name === "reader" ? { ...row, owners: ["the-editor"] } : row));
    await save({ ...owned, agents });
    const { access } = await connectAs(gateway, "reader", { role: "editor" });
    expect(await listStatus(gateway, access)).toBe(200);
    await save(supportDocument());
    expect(await listStatus(gateway, access)).toBe(401);
  });
});

describe("requests that real clients make", () => {
  it("without a resource: refused with a sentence, sent to the client", async () => {
    const { began } = await begin(gateway, authorizationQuery(pkce().challenge, { resource: null }));
    const { searchParams } = new URL(began.headers.get("location") ?? "");
    expect([began.status, searchParams.get("error")]).toEqual([303, "invalid_target"]);
    expect(searchParams.get("error_description")).toContain(`State the parameter resource=${RESOURCE}`);
  });

  it("scopes of other servers are left out, and no scope means the base scope", async () => {
    for (const scope of ["openid offline_access tools", "openid", null]) {
      const { challenge, verifier } = pkce();
      const sent = await authorize(gateway, authorizationQuery(challenge, { scope }), { agent: "reader" });
      const { json } = await token(gateway, redemption(sent.searchParams.get("code") ?? "", verifier));
      expect(json).toMatchObject({ scope: "tools", token_type: "Bearer", expires_in: 600 });
    }
  });

  it("switched off, nothing is here and every token ends", async () => {
    const { access } = await connectAs(gateway, "reader");
    await save({ ...supportDocument(), settings: { clientSignIn: { enabled: false } } });
    expect(await listStatus(gateway, access)).toBe(401);
    expect((await gateway.send("/oauth/jwks")).status).toBe(404);
    expect((await gateway.send("/.well-known/oauth-protected-resource")).status).toBe(404);
    const refused = await gateway.send("/mcp", { method: "POST" });
    expect(refused.headers.get("www-authenticate")).not.toContain("resource_metadata");
    await save({ ...supportDocument(), settings: {} });
  });
});

it("a refresh sends five statements: token, connection, person, redemption, successor", async () => {
  const body = new TextEncoder().encode(JSON.stringify({ client_id: CLIENT, redirect_uris: [CALLBACK] }));
  // In this process, so that the statements are those of the request.
  const handler = oauthWith(async () => ({ status: 200, headers: {}, body, ms: 1 }));
  let { refresh } = await connectAs(gateway, "reader");
  const redeem = async () => {
    const form = new URLSearchParams(refreshing(refresh));
    const answered = await handler(new Request(`${ORIGIN}${OAUTH_PATHS.token}`, { method: "POST", body: form }));
    expect(answered.status).toBe(200);
    refresh = String(((await answered.json()) as Record<string, unknown>)["refresh_token"]);
  };
  // The first one fetches the client's document.
  await redeem();
  const sent = await statementsOf(redeem);
  const tables = sent.map((text) => /(oauth_row|connection|person)"/.exec(text)?.[1]);
  expect(tables).toEqual(["oauth_row", "connection", "person", "oauth_row", "oauth_row"]);
});
