import { request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { oauthWith } from "@/lib/agents/oauth/server";
import { AppError } from "@/lib/errors";
import { outbound } from "@/lib/outbound/fetch";
import { drain } from "@/lib/server/front/front";
import { save, supportDocument } from "@/test/api/agents-world";
import {
  answerAs,
  authorizationQuery,
  authorize,
  begin,
  CLIENT,
  connectAs,
  documents,
  fetched,
  listStatus,
  openGateway,
  useGateway,
  pkce,
  redemption,
  refreshing,
  RESOURCE,
  token,
} from "@/test/api/oauth/world";
import { metrics } from "@/lib/telemetry/metrics";
import { useDatabase } from "@/test/support/database";
import { findInDatabase } from "@/test/support/find-in-database";
import { ORIGIN } from "@/test/support/person";
import { statementsOf } from "@/test/support/statements";

// Each attack of RFC 9700 that reaches a server of this kind; docs/threats/oauth.md names the test of each line.

const database = useDatabase();

const OTHER_CLIENT = "https://other.example.com/client.json";

beforeAll(async () => {
  documents.set(OTHER_CLIENT, { client_id: OTHER_CLIENT, redirect_uris: ["http://127.0.0.1/callback"] });
  await save(supportDocument());
});
const gateway = useGateway();

/** A code that nobody has redeemed yet, and its verifier. */
async function freshCode(changes: Record<string, string | null> = {}): Promise<{ code: string; verifier: string }> {
  const { challenge, verifier } = pkce();
  const sent = await authorize(gateway, authorizationQuery(challenge, changes), { agent: "reader" });
  return { code: sent.searchParams.get("code") ?? "", verifier };
}

/** A request with a `Host` that fetch would not send. */
function sendWithHost(path: string, headers: Record<string, string>): Promise<{ body: string; location: string }> {
  const { port } = gateway.server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    httpRequest({ host: "127.0.0.1", port, path, headers }, (answered) => {
      let body = "";
      answered.on("data", (chunk: Buffer) => (body += chunk.toString()));
      answered.on("end", () => resolve({ body, location: answered.headers.location ?? "" }));
    })
      .on("error", reject)
      .end();
  });
}

describe("codes", () => {
  it("50 redemptions at once yield one token", async () => {
    // A second redemption after 5 s would end the connection.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    onTestFinished(() => void vi.useRealTimers());
    const { code, verifier } = await freshCode();
    const answers = await Promise.all(Array.from({ length: 50 }, () => token(gateway, redemption(code, verifier))));
    const given = answers.filter(({ status }) => status === 200);
    expect(given).toHaveLength(1);
    expect(await listStatus(gateway, String(given[0]?.json["access_token"]))).toBe(200);
    const refused = answers.filter(({ status }) => status !== 200);
    const reasons = new Set(refused.map(({ status, json }) => `${status} ${String(json["error"])}`));
    // A busy database refuses, too.
    reasons.delete("503 temporarily_unavailable");
    expect(reasons).toEqual(new Set(["400 invalid_grant"]));
  });

  it("a code that is redeemed again later ends the connection", async () => {
    const { code, verifier } = await freshCode();
    const { json } = await token(gateway, redemption(code, verifier));
    expect(await listStatus(gateway, String(json["access_token"]))).toBe(200);
    await database.query(`update oauth_row set "consumedAt" = "consumedAt" - interval '6 seconds'`);
    expect((await token(gateway, redemption(code, verifier))).status).toBe(400);
    expect(await listStatus(gateway, String(json["access_token"]))).toBe(401);
  });

  it("50 uses of one refresh token at once yield one successor", async () => {
    const { refresh } = await connectAs(gateway, "reader");
    const answers = await Promise.all(Array.from({ length: 50 }, () => token(gateway, refreshing(refresh))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

describe("the token endpoint", () => {
  it("accepts none of 60 forged and misbound requests", async () => {
    const { code, verifier } = await freshCode();
    const { refresh, access } = await connectAs(gateway, "reader");
    const good = redemption(code, verifier);
    const without = (form: Record<string, string>, name: string) =>
      Object.fromEntries(Object.entries(form).filter(([key]) => key !== name));
    const forged: Record<string, string>[] = [
      ...Object.keys(good)
        .filter((name) => name !== "resource")
        .map((name) => without(good, name)),
      ...[OTHER_CLIENT, "https://nobody.example.com/c.json", "", "client", CLIENT.toUpperCase()].map((client) => ({
        ...good,
        client_id: client,
      })),
      ...["http://127.0.0.1:1/callback", "http://localhost:43117/callback", "http://127.0.0.1:43117/callback/"].map(
        (redirect) => ({ ...good, redirect_uri: redirect }),
      ),
      ...[pkce().verifier, verifier.slice(1), `${verifier}a`, verifier.toLowerCase(), "a".repeat(43), ""].map(
        (other) => ({ ...good, code_verifier: other }),
      ),
      ...[`${ORIGIN}/api/agents`, ORIGIN, `${RESOURCE}/`, "https://evil.example.com/mcp", "not a url"].map((other) => ({
        ...good,
        resource: other,
      })),
      ...[code.slice(1), `${code}a`, code.toLowerCase(), access, refresh, "", "a".repeat(43)].map((other) => ({
        ...good,
        code: other,
      })),
      ...["password", "implicit", "client_credentials", "urn:ietf:params:oauth:grant-type:token-exchange", ""].map(
        (grant) => ({ ...good, grant_type: grant }),
      ),
      ...["device_code", "jwt-bearer", "saml2-bearer"].map((grant) => ({
        ...good,
        grant_type: `urn:ietf:params:oauth:grant-type:${grant}`,
      })),
      ...[OTHER_CLIENT, ""].map((client) => ({ ...refreshing(refresh), client_id: client })),
      ...[code, access, refresh.slice(1), `${refresh}a`, ""].map((other) => refreshing(other)),
      ...[`${ORIGIN}/api/agents`, `${RESOURCE}#x`].map((other) => ({ ...refreshing(refresh), resource: other })),
      ...["tools admin", "openid"].map((scope) => ({ ...refreshing(refresh), scope })),
      {
        ...good,
        client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        client_assertion: "x.y.z",
      },
      ...["a", "0", "null", "[]", "{}", "%00", "'--", "../..", "*", "undefined"].map((id) => ({ ...good, code: id })),
    ];
    expect(forged.length).toBeGreaterThanOrEqual(60);
    const accepted: object[] = [];
    for (const form of forged) if ((await token(gateway, form)).status < 400) accepted.push(form);
    expect(accepted).toEqual([]);
    // None of them used up what they tried: the honest client still gets its tokens.
    expect((await token(gateway, good)).status).toBe(200);
    expect((await token(gateway, refreshing(refresh))).status).toBe(200);
  });

  it("accepts no token that somebody else signed, and none of ours for another audience or person", async () => {
    const { access } = await connectAs(gateway, "reader");
    const claims = JSON.parse(Buffer.from(access.split(".")[1] ?? "", "base64url").toString()) as Record<
      string,
      unknown
    >;
    const { privateKey, publicKey } = await generateKeyPair("ES256");
    const header = { alg: "ES256", typ: "at+jwt", jwk: await exportJWK(publicKey) };
    const forged = await new SignJWT(claims).setProtectedHeader(header).sign(privateKey);
    expect(await listStatus(gateway, forged)).toBe(401);
    const [head = "", , signature = ""] = access.split(".");
    const body = Buffer.from(JSON.stringify({ ...claims, act: { sub: "refunder" } })).toString("base64url");
    expect(await listStatus(gateway, `${head}.${body}.${signature}`)).toBe(401);
    const none = `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString("base64url")}.${body}.`;
    expect(await listStatus(gateway, none)).toBe(401);
  });
});

describe("PKCE", () => {
  it.each([
    ["no challenge", { code_challenge: null, code_challenge_method: null }],
    ["the method plain", { code_challenge_method: "plain" }],
    ["no method, which means plain", { code_challenge_method: null }],
    ["an empty challenge", { code_challenge: "" }],
  ])("%s is refused before anybody is asked", async (_what, changes) => {
    const { began } = await begin(gateway, authorizationQuery(pkce().challenge, changes));
    const { searchParams } = new URL(began.headers.get("location") ?? "");
    expect([searchParams.get("error"), searchParams.get("code")]).toEqual(["invalid_request", null]);
  });
});

describe("the error page", () => {
  it("repeats no markup, and an error for an unknown client goes to nobody's address", async () => {
    const client = "https://nobody.example.com/<script>alert(1)</script>";
    const { began } = await begin(gateway, authorizationQuery(pkce().challenge, { client_id: client }));
    expect([began.status >= 400, began.headers.get("location")]).toEqual([true, null]);
    expect(await began.text()).not.toContain("<script>");
  });

  it("runs no script, loads nothing and stands in no frame", async () => {
    const { began } = await begin(
      gateway,
      authorizationQuery(pkce().challenge, { redirect_uri: "https://evil.example.com" }),
    );
    expect(began.headers.get("content-security-policy")).toMatch(/^default-src 'none';.*frame-ancestors 'none'/);
    expect(began.headers.get("x-frame-options")).toBe("DENY");
    expect(began.headers.get("referrer-policy")).toBe("no-referrer");
  });
});

describe("consent", () => {
  it("a link that somebody else sent consents for nobody", async () => {
    const attacker = await begin(gateway, authorizationQuery(pkce().challenge));
    const refused = await answerAs(attacker.uid, { agent: "reader", cookies: new Map() });
    expect(refused.status).toBe(403);
    const own = await begin(gateway, authorizationQuery(pkce().challenge));
    expect((await answerAs(attacker.uid, { agent: "reader", cookies: own.cookies })).status).toBe(403);
  });

  it("a browser that returns without the cookie of the request gets no code", async () => {
    const { uid, cookies } = await begin(gateway, authorizationQuery(pkce().challenge));
    const { location } = (await (await answerAs(uid, { agent: "reader", cookies })).json()) as { location: string };
    const back = await gateway.send(location);
    expect([back.status, back.headers.get("location")]).toEqual([400, null]);
  });

  it("an answer counts once", async () => {
    const { uid, cookies } = await begin(gateway, authorizationQuery(pkce().challenge));
    expect((await answerAs(uid, { agent: "reader", cookies })).status).toBe(200);
    expect((await answerAs(uid, { agent: "refunder", cookies })).status).toBe(404);
  });
});

describe("addresses", () => {
  it.each([
    ["host", "evil.example.com"],
    ["x-forwarded-host", "evil.example.com"],
    ["forwarded", "host=evil.example.com"],
    ["x-forwarded-proto", "https"],
  ])("a foreign %s changes no address of the metadata and no redirect", async (name, value) => {
    const { body } = await sendWithHost("/.well-known/oauth-authorization-server", { [name]: value });
    expect(body).not.toContain("evil.example.com");
    expect((JSON.parse(body) as Record<string, string>)["token_endpoint"]).toBe(`${ORIGIN}/oauth/token`);
    const query = authorizationQuery(pkce().challenge);
    const { location } = await sendWithHost(`/oauth/authorize?${query}`, { [name]: value });
    expect(location).toMatch(/^\/connect\/[\w-]+$/);
  });
});

describe("client documents", () => {
  it.each([
    "http://client.example.com/client.json",
    "https://user:secret@client.example.com/client.json",
    "https://client.example.com/client.json#part",
    "https://client.example.com/../client.json",
    "file:///etc/passwd",
    "ftp://client.example.com/client.json",
  ])("%s is never fetched", async (client) => {
    fetched.length = 0;
    const { began } = await begin(gateway, authorizationQuery(pkce().challenge, { client_id: client }));
    expect([began.status >= 400, began.headers.get("location"), fetched]).toEqual([true, null, []]);
  });

  it.each([
    "https://127.0.0.1:1/c.json",
    "https://[::1]/c.json",
    "https://169.254.169.254/c.json",
    "https://10.0.0.1/c",
  ])("an address inside the network is not reached: %s", async (client) => {
    const real = oauthWith(outbound);
    const query = authorizationQuery(pkce().challenge, { client_id: client });
    const answered = await real(new Request(`${ORIGIN}/oauth/authorize?${query}`));
    expect([answered.status, answered.headers.get("location")]).toEqual([400, null]);
  });

  it.each<[string, (id: string) => unknown]>([
    ["another client's id", () => ({ client_id: CLIENT, redirect_uris: ["http://127.0.0.1/callback"] })],
    ["a shared secret", (id) => ({ client_id: id, client_secret: "x", redirect_uris: ["http://127.0.0.1/callback"] })],
    ["a javascript: address", (id) => ({ client_id: id, redirect_uris: ["javascript:alert(1)"] })],
    ["plain http to a host", (id) => ({ client_id: id, redirect_uris: ["http://evil.example.com/callback"] })],
    ["no redirect address", (id) => ({ client_id: id })],
    ["no JSON", () => "<html>"],
    [
      "more than 5 KiB",
      (id) => ({ client_id: id, redirect_uris: ["http://127.0.0.1/callback"], x: "x".repeat(9_000) }),
    ],
  ])("a document with %s is refused", async (what, document) => {
    const id = `https://client.example.com/${encodeURIComponent(what)}.json`;
    documents.set(id, document(id));
    const { began } = await begin(gateway, authorizationQuery(pkce().challenge, { client_id: id }));
    expect([began.status >= 400, began.headers.get("location")]).toEqual([true, null]);
  });

  it("the last good document refreshes tokens while its host fails, for 24 hours", async () => {
    const id = "https://flaky.example.com/client.json";
    documents.set(id, { client_id: id, redirect_uris: ["http://127.0.0.1/callback"] });
    const { code, verifier } = await freshCode({ client_id: id });
    const first = await token(gateway, { ...redemption(code, verifier), client_id: id });
    // A document that makes no client does not replace it.
    documents.set(id, { client_id: id });
    const broken = await openGateway();
    const refused = await begin(broken, authorizationQuery(pkce().challenge, { client_id: id }));
    expect(refused.began.status).toBe(400);
    documents.delete(id);
    const restarted = await openGateway();
    const second = await token(restarted, { ...refreshing(String(first.json["refresh_token"])), client_id: id });
    expect(second.status).toBe(200);
    await database.query(`update client_document set "fetchedAt" = "fetchedAt" - interval '25 hours'`);
    const later = await openGateway();
    const third = await token(later, { ...refreshing(String(second.json["refresh_token"])), client_id: id });
    expect([third.status, third.json["error"]]).toEqual([400, "invalid_client"]);
    await Promise.all([broken, restarted, later].map(({ server }) => drain(server, 0)));
  });
});

describe("a stranger's requests", () => {
  /** An authorization server that only counts what it fetches. */
  const counting = () => {
    const asked: string[] = [];
    const handler = oauthWith(({ url }) => {
      asked.push(url);
      return Promise.reject(new AppError("upstream_error", "There is no such host."));
    });
    const ask = (path: string, address: string, body?: URLSearchParams) =>
      handler(
        new Request(`${ORIGIN}${path}`, {
          headers: { "x-forwarded-for": address },
          ...(body !== undefined && { method: "POST", body }),
        }),
      );
    return { asked, ask };
  };
  const unknown = (at: number) => `https://unknown-${at}.example.com/client.json`;

  it("are limited by address, before a document is fetched or a row is written", async () => {
    const { asked, ask } = counting();
    const begins = (at: number, address: string) =>
      ask(`/oauth/authorize?${authorizationQuery(pkce().challenge, { client_id: unknown(at) })}`, address);
    const rows = () => database.query("select 1 from oauth_row");
    for (let at = 0; at < 120; at += 1) await begins(at, "203.0.113.7");
    const [fetchedBefore, rowsBefore] = [asked.length, (await rows()).length];
    const refused = await begins(120, "203.0.113.7");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
    expect([asked.length, (await rows()).length]).toEqual([fetchedBefore, rowsBefore]);
    expect((await begins(121, "203.0.113.8")).status).not.toBe(429);
    for (let at = 0; at < 600; at += 1) await ask("/oauth/token", "203.0.113.7");
    for (const path of ["/oauth/token", "/oauth/revoke"])
      expect((await ask(path, "203.0.113.7", new URLSearchParams({ client_id: unknown(1) }))).status).toBe(429);
  }, 60_000);

  it.each([
    ["a browser that returns", "/oauth/authorize/an-id", 120],
    ["a registration", "/oauth/register", 30],
  ])("are limited as %s, before the store is read", async (_what, path, limit) => {
    const { ask } = counting();
    const body = path === "/oauth/register" ? new URLSearchParams() : undefined;
    const statuses = new Set<number>();
    for (let at = 0; at < limit; at += 1) statuses.add((await ask(path, "203.0.113.11", body)).status);
    expect(statuses).not.toContain(429);
    const read = await statementsOf(async () => expect((await ask(path, "203.0.113.11", body)).status).toBe(429));
    expect(read).toEqual([]);
    expect((await ask(path, "203.0.113.12", body)).status).not.toBe(429);
  });

  it("have a short query", async () => {
    const { asked, ask } = counting();
    const query = authorizationQuery(pkce().challenge, { state: "x".repeat(4_096) });
    expect((await ask(`/oauth/authorize?${query}`, "203.0.113.9")).status).toBe(400);
    expect(asked).toEqual([]);
  });

  it("replace the oldest of 1,000 strangers' documents and none of a connected client, and have 200 characters of a name", async () => {
    const connected = "https://connected.example.com/client.json";
    documents.set(connected, { client_id: connected, redirect_uris: ["http://127.0.0.1/callback"] });
    const { code, verifier } = await freshCode({ client_id: connected });
    await token(gateway, { ...redemption(code, verifier), client_id: connected });
    await database.query(`update client_document set "fetchedAt" = "fetchedAt" - interval '2 hours'`);
    await database.query(
      `insert into client_document (id, document, "fetchedAt")
       select 'https://kept.example.com/' || n, '{}', now() - n * interval '1 second' from generate_series(1, 1000) n`,
    );
    const id = "https://late.example.com/client.json";
    documents.set(id, { client_id: id, client_name: "n".repeat(3_000), redirect_uris: ["http://127.0.0.1/callback"] });
    const { began } = await begin(gateway, authorizationQuery(pkce().challenge, { client_id: id }));
    expect(began.headers.get("location")).toMatch(/^\/connect\//);
    const kept = await database.query<{ id: string }>("select id from client_document where id = any($1)", [
      [connected, id, "https://kept.example.com/999", "https://kept.example.com/1000"],
    ]);
    expect(new Set(kept.map((row) => row.id))).toEqual(new Set([connected, id, "https://kept.example.com/999"]));
    const [request] = await database.query<{ name: string }>(
      `select payload ->> 'clientName' as name from oauth_row where payload ->> 'client' = $1`,
      [id],
    );
    expect(request?.name).toHaveLength(200);
    await database.query("delete from client_document where id like 'https://kept.example.com/%'");
  });
});

it("issued tokens and refusals are counted", async () => {
  await connectAs(gateway, "reader");
  await token(gateway, refreshing("none"));
  const { tokensIssued, signInRefusals } = metrics();
  expect(tokensIssued.collect().samples.map(({ labels }) => labels)).toContainEqual({ grant: "authorization_code" });
  expect(signInRefusals.collect().samples.map(({ labels }) => labels)).toContainEqual({ reason: "invalid_grant" });
});

it("no table holds a token, a code or a verifier", async () => {
  const { code, verifier } = await freshCode();
  const { json } = await token(gateway, redemption(code, verifier));
  const access = String(json["access_token"]);
  await listStatus(gateway, access);
  for (const secret of [code, verifier, access, String(json["refresh_token"])])
    expect(await findInDatabase(database, secret)).toEqual([]);
});
