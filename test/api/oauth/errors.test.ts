import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { OAUTH_PATHS } from "@/lib/agents/oauth/paths";
import { oauthWith } from "@/lib/agents/oauth/server";
import { AppError } from "@/lib/errors";
import * as oauthRows from "@/lib/store/oauth/oauth-rows";
import * as tokenKeys from "@/lib/store/oauth/token-keys";
import * as snapshots from "@/lib/store/snapshot/snapshot";
import { metrics } from "@/lib/telemetry/metrics";
import { save, supportDocument } from "@/test/api/agents-world";
import {
  authorizationQuery,
  authorize,
  begin,
  connectAs,
  documents,
  fetched,
  listStatus,
  useGateway,
  pkce,
  redemption,
  refreshing,
  token,
} from "@/test/api/oauth/world";
import { useDatabase } from "@/test/support/database";
import { ORIGIN } from "@/test/support/person";

// Bad input: a client gets the error form of OAuth (RFC 6749, 5.2), a browser a page, and an unregistered address nothing.

const database = useDatabase();

beforeAll(() => save(supportDocument()));
const gateway = useGateway();

const form = (fields: Record<string, string>) => ({ method: "POST", body: new URLSearchParams(fields) });
const typed = (type: string, body: string) => ({ method: "POST", headers: { "content-type": type }, body });

describe("the endpoints of clients", () => {
  it.each<[string, string, RequestInit, number, string]>([
    ["a JSON body", OAUTH_PATHS.token, typed("application/json", "{}"), 400, "invalid_request"],
    ["no body", OAUTH_PATHS.token, { method: "POST" }, 400, "invalid_request"],
    ["16 KiB and more", OAUTH_PATHS.token, form({ grant_type: "x".repeat(17_000) }), 413, "invalid_request"],
    [
      "a query of 4,096 characters",
      `${OAUTH_PATHS.token}?x=${"x".repeat(4_096)}`,
      form({ client_id: "a" }),
      400,
      "invalid_request",
    ],
    [
      "an unknown client",
      OAUTH_PATHS.token,
      form({ grant_type: "refresh_token", client_id: "x" }),
      401,
      "invalid_client",
    ],
    ["no token to revoke", OAUTH_PATHS.revocation, form({}), 400, "invalid_request"],
    ["16 KiB to revoke", OAUTH_PATHS.revocation, form({ token: "x".repeat(17_000) }), 413, "invalid_request"],
  ])("%s", async (_what, path, init, status, error) => {
    const answered = await gateway.send(path, init);
    expect([answered.status, answered.headers.get("cache-control")]).toEqual([status, "no-store"]);
    expect(answered.headers.get("content-type")).toContain("application/json");
    const json = (await answered.json()) as Record<string, unknown>;
    expect(json).toMatchObject({ error, error_description: expect.stringMatching(/\w/) });
    expect(Object.keys(json).toSorted()).toEqual(["error", "error_description"]);
  });

  it("too many requests, and a server that cannot answer, are `temporarily_unavailable`", async () => {
    const handler = oauthWith(() => Promise.reject(new AppError("upstream_error", "There is no such host.")));
    const ask = () =>
      handler(
        new Request(`${ORIGIN}${OAUTH_PATHS.token}`, {
          ...form({ client_id: "x" }),
          headers: { "x-forwarded-for": "203.0.113.77" },
        }),
      );
    const read = vi
      .spyOn(tokenKeys, "readTokenKeys")
      .mockRejectedValueOnce(new AppError("config_unavailable", "The store does not answer."))
      .mockRejectedValueOnce(new TypeError("a secret of the server"));
    onTestFinished(() => read.mockRestore());
    const unavailable = await ask();
    expect([unavailable.status, await unavailable.json()]).toEqual([
      503,
      { error: "temporarily_unavailable", error_description: "The store does not answer." },
    ]);
    const broken = await ask();
    expect([broken.status, await broken.json()]).toEqual([
      500,
      { error: "server_error", error_description: "The server failed." },
    ]);
    for (let at = 0; at < 598; at += 1) await ask();
    const limited = await ask();
    expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "60"]);
    expect(await limited.json()).toMatchObject({ error: "temporarily_unavailable" });
  }, 60_000);
});

describe("a failure inside the authorization server", () => {
  it.each<[string, () => Promise<never>, number, string]>([
    [
      "of the store",
      () => Promise.reject(new AppError("config_unavailable", "The store does not answer.")),
      503,
      "temporarily_unavailable",
    ],
    ["of the code", () => Promise.reject(new TypeError("a secret of the server")), 500, "server_error"],
  ])("%s is answered in the same form", async (_what, fail, status, error) => {
    const read = vi.spyOn(oauthRows, "findOAuthRow").mockImplementation(fail);
    onTestFinished(() => read.mockRestore());
    const { status: answered, json } = await token(gateway, refreshing("any"));
    expect([answered, json]).toEqual([status, { error, error_description: expect.not.stringMatching(/secret|oops/) }]);
    const page = await gateway.send(`${OAUTH_PATHS.authorization}/${"a".repeat(21)}`, {
      headers: { cookie: `qm_resume=${"a".repeat(21)}` },
    });
    expect(page.status).toBe(status);
    expect(await page.text()).toMatch(new RegExp(`<h1>The connection failed</h1>.*<code>${error}: `, "s"));
  });
});

const lost = () => new AppError("config_unavailable", "The store does not answer.");

it.each<[string, () => { mockRestore(): void }]>([
  ["before its successor is stored", () => vi.spyOn(oauthRows, "saveOAuthRow").mockRejectedValueOnce(lost())],
  [
    "after its successor is stored",
    () => {
      const { currentSnapshot: real } = snapshots;
      const spy = vi.spyOn(snapshots, "currentSnapshot");
      return spy.mockImplementationOnce(real).mockImplementationOnce(real).mockRejectedValueOnce(lost());
    },
  ],
])("a refresh token survives a failure %s: the next try is no second use", async (_when, fail) => {
  const { access, refresh } = await connectAs(gateway, "reader");
  const unused = () => database.query(`select 1 from oauth_row where model = 'RefreshToken' and "consumedAt" is null`);
  const before = await unused();
  const spy = fail();
  onTestFinished(() => spy.mockRestore());
  expect((await token(gateway, refreshing(refresh))).status).toBe(503);
  spy.mockRestore();
  await database.query(`update oauth_row set "consumedAt" = "consumedAt" - interval '6 seconds'`);
  expect(await unused()).toEqual(before);
  expect((await token(gateway, refreshing(refresh))).status).toBe(200);
  expect(await listStatus(gateway, access)).toBe(200);
});

it("an undo that is repeated leaves a later redemption", async () => {
  const row = { model: "RefreshToken", id: "repeated" };
  await oauthRows.saveOAuthRow(row.model, row.id, {}, 100);
  const later = (await oauthRows.consumeOAuthRow(row.model, row.id))!;
  const undo = (consumedAt: Date) => oauthRows.undoRedemption({ ...row, consumedAt }, []);
  await undo(new Date(later.getTime() - 1_000));
  expect(await oauthRows.consumeOAuthRow(row.model, row.id)).toBeNull();
  await undo(later);
  expect(await oauthRows.consumeOAuthRow(row.model, row.id)).not.toBeNull();
});

describe("a browser", () => {
  const page = async (query: URLSearchParams | string) => {
    const answered = await gateway.send(`${OAUTH_PATHS.authorization}?${query}`, { headers: { accept: "text/html" } });
    const text = await answered.text();
    expect(answered.headers.get("location")).toBeNull();
    expect(answered.headers.get("content-type")).toContain("text/html");
    expect(answered.headers.get("content-security-policy")).toMatch(/^default-src 'none'/);
    expect(text).toContain("<h1>The connection failed</h1>");
    expect(text).not.toMatch(/<script|<form|http-equiv="refresh"/i);
    return { status: answered.status, says: /<code>(.*)<\/code>/s.exec(text)?.[1] ?? "", text };
  };

  it.each<[string, Record<string, string | null>, RegExp]>([
    ["an address that is not registered", { redirect_uri: "https://evil.example.com/x" }, /^invalid_redirect_uri: \w/],
    ["a client that is unknown", { client_id: "nobody" }, /^invalid_client: \w/],
    ["no client", { client_id: null }, /client_id/],
    ["an answer by form", { response_mode: "form_post" }, /^invalid_request: .*response_mode query/],
    ["an answer in the fragment", { response_mode: "fragment" }, /^invalid_request: .*response_mode query/],
    ["a query of 4,096 characters", { state: "x".repeat(4_096) }, /^invalid_request: .*4096 characters/],
  ])("reads what the client did wrong: %s", async (_what, changes, says) => {
    expect(await page(authorizationQuery(pkce().challenge, changes))).toMatchObject({
      status: 400,
      says: expect.stringMatching(says),
    });
  });

  it("reads who can register an unknown client", async () => {
    const { text } = await page(authorizationQuery(pkce().challenge, { client_id: "nobody" }));
    expect(text).toContain("Ask an administrator to register it under OAuth clients");
  });

  it.each(["https://root.example.com", "https://root.example.com/", "https://root.example.com/?a=1"])(
    "reads that a client document needs a path, and nothing is fetched: %s",
    async (client) => {
      const redirect = "https://root.example.com/done";
      documents.set(client, { client_id: client, redirect_uris: [redirect] });
      onTestFinished(() => void documents.delete(client));
      const query = authorizationQuery(pkce().challenge, { client_id: client, redirect_uri: redirect });
      expect(await page(query)).toMatchObject({ status: 400, says: expect.stringMatching(/^invalid_client: \w/) });
      expect(fetched).not.toContain(client);
    },
  );

  it("reads it also when the request is unknown, and when the limit is reached", async () => {
    const back = await gateway.send(`${OAUTH_PATHS.authorization}/${"a".repeat(43)}`);
    expect([back.status, back.headers.get("location")]).toEqual([400, null]);
    expect(await back.text()).toContain("<h1>The connection failed</h1>");
    const handler = oauthWith(() => Promise.reject(new AppError("upstream_error", "There is no such host.")));
    const ask = () =>
      handler(new Request(`${ORIGIN}/oauth/authorize`, { headers: { "x-forwarded-for": "203.0.113.78" } }));
    for (let at = 0; at < 120; at += 1) await ask();
    const limited = await ask();
    expect([limited.status, limited.headers.get("x-frame-options")]).toEqual([429, "DENY"]);
    const text = await limited.text();
    expect(text).toContain("temporarily_unavailable: Too many requests");
    expect(text).toContain("Quartermaster cannot answer the client that sent you here right now.");
  });
});

describe("the counters", () => {
  const { tokensIssued, signInRefusals } = metrics();
  const countOf = (tally: typeof tokensIssued, labels: Record<string, string>) => {
    const sample = tally.collect().samples.find((known) => JSON.stringify(known.labels) === JSON.stringify(labels));
    return sample !== undefined && "value" in sample ? sample.value : 0;
  };
  const grants = () => ["authorization_code", "refresh_token"].map((grant) => countOf(tokensIssued, { grant }));
  const refusals = () =>
    ["invalid_grant", "invalid_client", "invalid_target", "invalid_redirect_uri", "access_denied"].map((reason) =>
      countOf(signInRefusals, { reason }),
    );
  const risen = (after: number[], before: number[]) => after.map((value, at) => value - (before[at] ?? 0));

  it("rise by one for each token and for each refusal, by grant and by reason", async () => {
    const [granted, refused] = [grants(), refusals()];
    const { refresh } = await connectAs(gateway, "reader");
    expect((await token(gateway, refreshing(refresh))).status).toBe(200);
    expect(risen(grants(), granted)).toEqual([1, 1]);
    expect(risen(refusals(), refused)).toEqual([0, 0, 0, 0, 0]);
    const { verifier, challenge } = pkce();
    await token(gateway, redemption("none", verifier));
    await token(gateway, { ...redemption("none", verifier), client_id: "nobody" });
    await token(gateway, { ...refreshing("none"), resource: ORIGIN });
    await begin(gateway, authorizationQuery(challenge, { redirect_uri: "https://evil.example.com" }));
    await authorize(gateway, authorizationQuery(challenge), { agent: null });
    expect(risen(grants(), granted)).toEqual([1, 1]);
    expect(risen(refusals(), refused)).toEqual([1, 1, 1, 1, 1]);
  });
});
