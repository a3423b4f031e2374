import { exportJWK, generateKeyPair, type CryptoKey } from "jose";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { OAUTH_PATHS } from "@/lib/agents/oauth/paths";
import { AppError } from "@/lib/errors";
import { drain } from "@/lib/server/front/front";
import { clients } from "@/lib/store/config/clients";
import * as tokenKeys from "@/lib/store/oauth/token-keys";
import { ADMIN, save, supportDocument } from "@/test/api/agents-world";
import {
  authorizationQuery,
  authorize,
  begin,
  CALLBACK,
  CLIENT,
  clientAssertion,
  connectAs,
  documents,
  openGateway,
  useGateway,
  pkce,
  redemption,
  refreshing,
  RESOURCE,
} from "@/test/api/oauth/world";
import { useDatabase } from "@/test/support/database";
import { ORIGIN } from "@/test/support/person";

// Every error code of the standards that this server speaks, in the form of its standard. Not listed are codes that cannot
// occur: `invalid_scope` at the authorization endpoint (unknown scopes are left out, RFC 6749, 3.3), `unsupported_token_type`
// (every token can be revoked), `invalid_software_statement` (all are `unapproved_software_statement`), and RFC 7662, which is
// not offered. An ID-JAG's codes are in identity-assertion.test.ts, those of RFC 6750 in challenges.test.ts.

useDatabase();
let key: CryptoKey;

const SERVICES = "https://client.example.com/services.json";

beforeAll(async () => {
  const document = supportDocument() as { tools: { id: string }[] };
  const tools = document.tools.map((tool) =>
    tool.id === "builtin:calculate" ? { ...tool, requiredScopes: ["math"] } : tool,
  );
  await save({ ...document, tools, settings: { clientSignIn: { registration: true } } });
  const pair = await generateKeyPair("ES256");
  key = pair.privateKey;
  const jwks = { keys: [{ ...(await exportJWK(pair.publicKey)), kid: "one", alg: "ES256" }] };
  const row = { description: "", enabled: true, redirectUris: [], agent: "reader", jwks: jwks as never };
  await clients.create(ADMIN, { ...row, name: "nightly" });
  await clients.create(ADMIN, { ...row, name: "desk", agent: null, redirectUris: [CALLBACK] });
  documents.set(SERVICES, {
    client_id: SERVICES,
    redirect_uris: [CALLBACK],
    grant_types: ["client_credentials"],
    response_types: [],
  });
});
const gateway = useGateway();

/** An error of a standard: where it stands, its code and its status. */
type Row<Sent> = readonly [standard: string, code: string, status: number, send: () => Promise<Sent>];

const HTML = { accept: "text/html" };
const post = (path: string, body: Record<string, string>, headers: Record<string, string> = {}) =>
  gateway.send(path, { method: "POST", body: new URLSearchParams(body), headers });
const token = (body: Record<string, string>, headers?: Record<string, string>) =>
  post(OAUTH_PATHS.token, body, headers);
const register = (metadata: object) =>
  gateway.send(OAUTH_PATHS.registration, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ redirect_uris: [CALLBACK], ...metadata }),
  });

async function freshCode(): Promise<Record<string, string>> {
  const { challenge, verifier } = pkce();
  const sent = await authorize(gateway, authorizationQuery(challenge), { agent: "reader" });
  return redemption(sent.searchParams.get("code") ?? "", verifier);
}
const freshRefresh = async () => refreshing((await connectAs(gateway, "reader")).refresh);

/** The form of a client without a person. */
async function signed(client: string, changes: Record<string, string> = {}): Promise<Record<string, string>> {
  const authentication = await clientAssertion(client, key);
  return { grant_type: "client_credentials", ...authentication, resource: RESOURCE, scope: "tools", ...changes };
}

/** Lets the server fail once. */
function failing(error: Error): void {
  const read = vi.spyOn(tokenKeys, "readTokenKeys").mockRejectedValueOnce(error);
  onTestFinished(() => read.mockRestore());
}

describe("the token endpoint answers in JSON, which nobody stores", () => {
  it.each<Row<Response>>([
    ["RFC 6749, 5.2", "invalid_request", 400, async () => token({ client_id: CLIENT })],
    ["RFC 6749, 5.2, a parameter twice", "invalid_request", 400, sendTwice],
    ["RFC 6749, 5.2", "invalid_client", 401, async () => token({ ...(await freshCode()), client_id: "nobody" })],
    ["RFC 7523, 3.2", "invalid_client", 401, async () => token(await signed("nightly", { client_assertion: "x.y.z" }))],
    ["RFC 6749, 5.2", "invalid_grant", 400, async () => token({ ...(await freshCode()), code: "another" })],
    ["RFC 6749, 5.2, for who prefers HTML", "invalid_grant", 400, async () => token(refreshing("another"), HTML)],
    ["RFC 6749, 5.2, a refresh token", "invalid_grant", 400, async () => token(refreshing("another"))],
    ["RFC 6749, 5.2", "unauthorized_client", 400, async () => token(await signed("desk"))],
    ["RFC 6749, 5.2", "unsupported_grant_type", 400, async () => token({ client_id: CLIENT, grant_type: "password" })],
    ["RFC 6749, 5.2", "invalid_scope", 400, async () => token({ ...(await freshRefresh()), scope: "tools math" })],
    [
      "RFC 7636, 4.6",
      "invalid_grant",
      400,
      async () => token({ ...(await freshCode()), code_verifier: pkce().verifier }),
    ],
    ["RFC 8707, 2.2", "invalid_target", 400, async () => token({ ...(await freshCode()), resource: ORIGIN })],
    [
      "RFC 8707, 2.2, without a resource",
      "invalid_target",
      400,
      async () => token(await signed("nightly", { resource: "" })),
    ],
    [
      "RFC 7523, 3.1, no assertion",
      "invalid_request",
      400,
      async () => token(await signed("desk", { grant_type: JWT_BEARER })),
    ],
    [
      "RFC 7523, 3.1",
      "invalid_grant",
      400,
      async () => token(await signed("desk", { grant_type: JWT_BEARER, assertion: "x.y.z" })),
    ],
  ])("%s: %s", async (_standard, code, status, send) => expectJson(await send(), code, status));

  it("RFC 6749, 5.2: the answer names the scheme of the client's Authorization header", async () => {
    const authorization = `Basic ${Buffer.from("nobody:secret").toString("base64")}`;
    const answered = await token({ grant_type: "refresh_token", refresh_token: "x" }, { authorization });
    expect(answered.headers.get("www-authenticate")).toMatch(/^Basic /);
    await expectJson(answered, "invalid_client", 401);
  });
});

describe("the other endpoints of clients answer in JSON, which nobody stores", () => {
  it.each<Row<Response>>([
    ["RFC 7009, 2.2.1", "invalid_request", 400, () => post(OAUTH_PATHS.revocation, { client_id: CLIENT })],
    ["RFC 7009, 2.2.1, which a browser may ask", "invalid_request", 400, () => post(OAUTH_PATHS.revocation, {}, HTML)],
    ["RFC 7009, 2.2.1", "invalid_client", 401, () => post(OAUTH_PATHS.revocation, { client_id: "nobody", token: "x" })],
    ["RFC 7591, 3.2.2", "invalid_redirect_uri", 400, () => register({ redirect_uris: ["http://evil.example.com"] })],
    ["RFC 7591, 3.2.2", "invalid_client_metadata", 400, () => register({ jwks: { keys: [] } })],
    ["RFC 7591, 3.2.2", "unapproved_software_statement", 400, () => register({ software_statement: "x.y.z" })],
  ])("%s: %s", async (_standard, code, status, send) => expectJson(await send(), code, status));

  it.each([
    [OAUTH_PATHS.token, "RFC 6749, 5.2"],
    [OAUTH_PATHS.revocation, "RFC 7009, 2.2.1"],
  ])("%s (%s): temporarily_unavailable with 503, and server_error without the cause", async (path, _standard) => {
    // A new gateway has not read its keys.
    const fresh = await openGateway();
    onTestFinished(() => drain(fresh.server, 0));
    const ask = () => fresh.send(path, { method: "POST", body: new URLSearchParams({ client_id: CLIENT }) });
    failing(new AppError("config_unavailable", "The store does not answer."));
    await expectJson(await ask(), "temporarily_unavailable", 503);
    failing(new TypeError("a secret of the server"));
    const broken = await ask();
    expect(await broken.clone().text()).not.toContain("secret");
    await expectJson(broken, "server_error", 500);
  });
});

const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/** The same request with a parameter that stands twice (RFC 6749, 3.2). */
async function sendTwice(): Promise<Response> {
  const body = new URLSearchParams(await freshCode());
  body.append("code", "another");
  return gateway.send(OAUTH_PATHS.token, { method: "POST", body });
}

async function expectJson(answered: Response, code: string, status: number): Promise<void> {
  const json = (await answered.json()) as Record<string, unknown>;
  expect([answered.status, json["error"]]).toEqual([status, code]);
  expect(json).toHaveProperty("error_description");
  // RFC 6749, 5.2: printable ASCII without quotation mark and backslash.
  expect(json["error_description"]).toMatch(/^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/);
  expect(answered.headers.get("content-type")).toMatch(/^application\/json/);
  expect(answered.headers.get("cache-control")).toBe("no-store");
}

describe("the authorization endpoint sends the client its error, with state and iss (RFC 9207, 2)", () => {
  it.each<readonly [string, string, Record<string, string | null>]>([
    ["RFC 6749, 4.1.2.1", "invalid_request", { prompt: "none login" }],
    ["RFC 6749, 4.1.2.1", "unauthorized_client", { client_id: SERVICES }],
    ["RFC 6749, 4.1.2.1", "unsupported_response_type", { response_type: "other" }],
    ["RFC 6749, 4.1.2.1, a combination", "unsupported_response_type", { response_type: "code token" }],
    ["RFC 7636, 4.4.1, no challenge", "invalid_request", { code_challenge: null }],
    ["RFC 7636, 4.4.1, another method", "invalid_request", { code_challenge_method: "plain" }],
    ["RFC 8707, 2", "invalid_target", { resource: "https://other.example.com/mcp" }],
    ["RFC 8707, 2, without a resource", "invalid_target", { resource: null }],
    ["OpenID Connect Core, 3.1.2.6", "login_required", { prompt: "none" }],
    ["OpenID Connect Core, 3.1.2.6", "request_not_supported", { request: "a.b.c" }],
    ["OpenID Connect Core, 3.1.2.6", "request_uri_not_supported", { request_uri: "urn:x" }],
    ["OpenID Connect Core, 3.1.2.6", "registration_not_supported", { registration: "{}" }],
  ])("%s: %s", async (_standard, code, changes) => {
    const { began } = await begin(gateway, authorizationQuery(pkce().challenge, changes));
    expectReturned(new URL(began.headers.get("location") ?? "about:blank"), code);
  });

  it("RFC 6749, 4.1.2.1: access_denied", async () => {
    expectReturned(await authorize(gateway, authorizationQuery(pkce().challenge), { agent: null }), "access_denied");
  });
});

function expectReturned(to: URL, code: string): void {
  expect(to.origin + to.pathname).toBe("http://127.0.0.1:43117/callback");
  // An answer to a combination is in the fragment (OAuth 2.0 Multiple Response Types, 5).
  const parameters = to.hash === "" ? to.searchParams : new URLSearchParams(to.hash.slice(1));
  // The description is optional (RFC 6749, 4.1.2.1).
  const { error_description: description = "none", ...others } = Object.fromEntries(parameters);
  expect(description).toMatch(/^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/);
  expect(others).toEqual({ error: code, state: "the-state", iss: ORIGIN });
}

describe("a browser gets a page, and goes nowhere, for", () => {
  it.each<readonly [string, string, number, () => Promise<Response>]>([
    ["RFC 6749, 4.1.2.1", "invalid_client", 400, () => browse({ client_id: "nobody" })],
    ["RFC 6749, 4.1.2.1", "invalid_redirect_uri", 400, () => browse({ redirect_uri: "https://evil.example.com" })],
    ["RFC 6749, 4.1.2.1", "invalid_request", 400, () => browse({ client_id: null })],
    ["RFC 6749, 4.1.2.1", "temporarily_unavailable", 503, () => browseFailing("config_unavailable")],
    ["RFC 6749, 4.1.2.1", "server_error", 500, () => browseFailing("internal")],
  ])("%s: %s", async (_standard, code, status, send) => {
    const answered = await send();
    expect([answered.status, answered.headers.get("location")]).toEqual([status, null]);
    expect(await answered.text()).toMatch(new RegExp(`<code>${code}: \\w`));
  });
});

const browse = async (changes: Record<string, string | null>, by = gateway) =>
  (await begin(by, authorizationQuery(pkce().challenge, changes))).began;

async function browseFailing(code: "config_unavailable" | "internal"): Promise<Response> {
  const fresh = await openGateway();
  onTestFinished(() => drain(fresh.server, 0));
  failing(new AppError(code, "The server has a fault."));
  return browse({}, fresh);
}

describe("RFC 8414 and RFC 9728: metadata that is not there is 404", () => {
  it.each(["oauth-authorization-server", "openid-configuration", "oauth-protected-resource"])("%s", async (name) => {
    expect((await gateway.send(`/.well-known/${name}/other`)).status).toBe(404);
    expect((await gateway.send(`/.well-known/${name}`)).status).toBe(200);
  });
});
