import { beforeAll, describe, expect, it } from "vitest";
import { OAUTH_PATHS } from "@/lib/agents/oauth/paths";
import { save, supportDocument } from "@/test/api/agents-world";
import { authorizationQuery, CALLBACK, CLIENT, documents, pkce, RESOURCE, useGateway } from "@/test/api/oauth/world";
import { useDatabase } from "@/test/support/database";

// Requests that no honest client makes. Each gets an answer in OAuth's form. None causes a server error or yields a
// code or a token.

const database = useDatabase();
beforeAll(async () => {
  const document = supportDocument();
  await save({ ...document, settings: { clientSignIn: { enabled: true, registration: true } } });
});
const gateway = useGateway();

const unsigned = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${Buffer.from(JSON.stringify({ client_id: CLIENT, redirect_uri: "https://evil.example.com" })).toString("base64url")}.`;

/**
 * Sends a request and returns what is wrong with its answer. A correct answer leads to the consent page, returns an
 * error to the client's registered address, or is an error as JSON or as a page.
 */
async function flawsOf(path: string, init: RequestInit = {}): Promise<string[]> {
  const answered = await gateway.send(path, init);
  const [text, location] = [await answered.text(), answered.headers.get("location")];
  const isRefused = location === null && answered.status >= 400 && text !== "";
  const flaws: [string, boolean][] = [
    [`status ${answered.status}`, answered.status >= 500],
    [`text ${text}`, /access_token|refresh_token":|node_modules|\n {4}at |<script/.test(text)],
    [
      `location ${location}`,
      location !== null && !/^(\/connect\/[\w-]+$|http:\/\/127\.0\.0\.1:43117\/callback[?#]error=)/.test(location),
    ],
    [`no OAuth error: ${text}`, isRefused && !/^{"(error|type)":"[\w:]+",|<h1>The connection failed<\/h1>/.test(text)],
  ];
  return flaws.filter(([, isFlaw]) => isFlaw).map(([flaw]) => flaw);
}

const begins = (changes: Record<string, string | null>, more = "") =>
  flawsOf(`${OAUTH_PATHS.authorization}?${authorizationQuery(pkce().challenge, changes)}${more}`);

describe("authorization requests", () => {
  it.each<[string, Record<string, string | null>, string?]>([
    ["a request object", { request: unsigned }],
    ["only a request object", { request: unsigned, redirect_uri: null, response_type: null }],
    ["the address of a request object", { request_uri: "https://169.254.169.254/request.jwt" }],
    ["a pushed request", { request_uri: "urn:ietf:params:oauth:request_uri:abc" }],
    ["prompt=none", { prompt: "none" }],
    ["prompt=none with consent", { prompt: "none consent" }],
    ["prompt=create", { prompt: "create" }],
    ["an unknown prompt", { prompt: "everything" }],
    ["max_age=0", { max_age: "0" }],
    ["a negative max_age", { max_age: "-1" }],
    ["a max_age that is no number", { max_age: "1e999" }],
    ["claims", { claims: '{"userinfo":{"email":null},"id_token":{"sub":{"value":"admin"}}}' }],
    ["claims that are no JSON", { claims: "{" }],
    ["deep claims", { claims: "[".repeat(1_500) }],
    ["an id_token_hint", { id_token_hint: unsigned }],
    ["a login_hint with markup", { login_hint: "<script>alert(1)</script>" }],
    ["authorization_details", { authorization_details: '[{"type":"all"}]' }],
    ["registration", { registration: "{}" }],
    ["dpop_jkt", { dpop_jkt: "a".repeat(43) }],
    ["the response type token", { response_type: "token" }],
    ["the response type none", { response_type: "none" }],
    ["the response type code id_token", { response_type: "code id_token" }],
    ["jwt answers", { response_mode: "jwt" }],
    ["a message to another window", { response_mode: "web_message", web_message_uri: "https://evil.example.com" }],
    ["NUL in state", { state: "a\u0000b" }],
    ["NUL in scope", { scope: "tools\u0000" }],
    ["NUL in nonce", { nonce: "\u0000" }],
    ["NUL in login_hint", { login_hint: "\u0000" }],
    ["NUL in the client", { client_id: "client\u0000" }],
    ["NUL in the id of a registration", { client_id: "urn:uuid:\u0000" }],
    ["NUL in the address of a document", { client_id: "https://client.example.com/\u0000.json" }],
    ["NUL in the redirect address", { redirect_uri: "http://127.0.0.1:43117/callback\u0000" }],
    ["NUL in the challenge", { code_challenge: `${"a".repeat(42)}\u0000` }],
    ["a client in other writing", { client_id: "https://client.example.com/oauth/\u202eclient.json" }],
    ["a fullwidth client", { client_id: "https://client.example.com/oauth\uff0fclient.json" }],
    ["__proto__ as a client", { client_id: "__proto__" }],
    ["constructor as a client", { client_id: "constructor" }],
    ["a long client", { client_id: `https://client.example.com/${"a".repeat(3_000)}` }],
    ["two clients", {}, `&client_id=${encodeURIComponent("https://other.example.com/c.json")}`],
    ["two redirect addresses", {}, "&redirect_uri=https%3A%2F%2Fevil.example.com"],
    ["two states", {}, "&state=other"],
    ["two resources", {}, `&resource=${encodeURIComponent(RESOURCE)}`],
    ["two scopes", {}, "&scope=tools"],
    ["two response modes", {}, "&response_mode=query&response_mode=fragment"],
    ["a second empty response mode", { response_mode: "query" }, "&response_mode=form_post"],
    ["parameters as lists", {}, "&client_id[]=x&redirect_uri[]=https://evil.example.com"],
    ["broken escapes", {}, "&state=%E0%A4%A&nonce=%ED%A0%80"],
    ["__proto__ as a parameter", {}, "&__proto__=x&constructor=y&hasOwnProperty=z"],
    ["1,000 parameters", {}, "&a".repeat(1_000)],
  ])("%s", async (_what, changes, more) => {
    expect(await begins(changes, more)).toEqual([]);
  });
});

describe("methods and paths", () => {
  it.each<[string, string, RequestInit?]>([
    [
      "HEAD of the authorization endpoint",
      `${OAUTH_PATHS.authorization}?${authorizationQuery(pkce().challenge)}`,
      { method: "HEAD" },
    ],
    [
      "POST to the authorization endpoint",
      OAUTH_PATHS.authorization,
      { method: "POST", body: authorizationQuery(pkce().challenge) },
    ],
    ["OPTIONS of the authorization endpoint", OAUTH_PATHS.authorization, { method: "OPTIONS" }],
    [
      "OPTIONS of the token endpoint",
      OAUTH_PATHS.token,
      { method: "OPTIONS", headers: { origin: "https://evil.example.com", "access-control-request-method": "POST" } },
    ],
    ["GET of the token endpoint", `${OAUTH_PATHS.token}?grant_type=refresh_token`],
    ["HEAD of the token endpoint", OAUTH_PATHS.token, { method: "HEAD" }],
    ["PUT to the token endpoint", OAUTH_PATHS.token, { method: "PUT", body: "x" }],
    ["HEAD of the keys", OAUTH_PATHS.jwks, { method: "HEAD" }],
    ["the device flow", "/oauth/device/auth", { method: "POST", body: new URLSearchParams({ client_id: CLIENT }) }],
    ["the default device flow", "/device/auth", { method: "POST", body: new URLSearchParams({ client_id: CLIENT }) }],
    ["a user code", "/device?user_code=ABCD"],
    ["pushed requests", "/oauth/request", { method: "POST", body: authorizationQuery(pkce().challenge) }],
    ["the default pushed requests", "/request", { method: "POST", body: authorizationQuery(pkce().challenge) }],
    ["the end of a session", "/session/end?post_logout_redirect_uri=https://evil.example.com"],
    ["its confirmation", "/session/end/confirm", { method: "POST", body: new URLSearchParams({ logout: "yes" }) }],
    ["userinfo", "/me"],
    ["introspection", "/token/introspection", { method: "POST", body: new URLSearchParams({ token: "x" }) }],
    ["a registration's page", `${OAUTH_PATHS.registration}/abc`],
    ["an answer that nobody began", `${OAUTH_PATHS.authorization}/${"a".repeat(21)}`],
    [
      "an answer with a forged cookie",
      `${OAUTH_PATHS.authorization}/${"a".repeat(21)}`,
      { headers: { cookie: `qm_resume=${"a".repeat(21)}; qm_oauth=x` } },
    ],
    [
      "a session cookie of the provider",
      `${OAUTH_PATHS.authorization}?${authorizationQuery(pkce().challenge)}`,
      { headers: { cookie: 'qm_oauth=%00; qm_resume="' } },
    ],
    ["an encoded path", "/oauth/%74oken", { method: "POST", body: new URLSearchParams({ grant_type: "x" }) }],
    ["a path with NUL", "/oauth/authorize/%00"],
    ["a broken path", "/oauth/authorize/%E0%A4%A"],
  ])("%s", async (_what, path, init) => {
    expect(await flawsOf(path, init)).toEqual([]);
  });
});

describe("bodies", () => {
  const form = (text: string, type = "application/x-www-form-urlencoded", headers: Record<string, string> = {}) => ({
    method: "POST",
    headers: { ...headers, "content-type": type },
    body: text,
  });
  const formWith = (headers: Record<string, string>, text: string) => form(text, undefined, headers);
  it.each<[string, string, RequestInit]>([
    ["NUL in every parameter", OAUTH_PATHS.token, form("grant_type=%00&client_id=%00&code=%00")],
    [
      "NUL in a registered client",
      OAUTH_PATHS.token,
      form("grant_type=refresh_token&client_id=urn:uuid:%00&refresh_token=x"),
    ],
    [
      "NUL in a refresh token",
      OAUTH_PATHS.token,
      form(
        `grant_type=refresh_token&client_id=${encodeURIComponent(CLIENT)}&refresh_token=%00&resource=${encodeURIComponent(RESOURCE)}`,
      ),
    ],
    [
      "NUL in a code",
      OAUTH_PATHS.token,
      form(
        `grant_type=authorization_code&client_id=${encodeURIComponent(CLIENT)}&code=%00&code_verifier=${"a".repeat(43)}&redirect_uri=%00&resource=${encodeURIComponent(RESOURCE)}`,
      ),
    ],
    ["two grant types", OAUTH_PATHS.token, form("grant_type=authorization_code&grant_type=refresh_token&client_id=x")],
    [
      "two clients",
      OAUTH_PATHS.token,
      form(`grant_type=refresh_token&client_id=${encodeURIComponent(CLIENT)}&client_id=x&refresh_token=x`),
    ],
    [
      "a client in header and body",
      OAUTH_PATHS.token,
      formWith({ authorization: "Basic eDp5" }, "grant_type=refresh_token&client_id=x"),
    ],
    ["a broken header", OAUTH_PATHS.token, formWith({ authorization: "Basic %%%" }, "grant_type=refresh_token")],
    [
      "a header with NUL",
      OAUTH_PATHS.token,
      formWith({ authorization: `Basic ${Buffer.from("%00:%00").toString("base64")}` }, "grant_type=refresh_token"),
    ],
    ["a bearer header", OAUTH_PATHS.token, formWith({ authorization: "Bearer x" }, "grant_type=refresh_token")],
    [
      "a DPoP header",
      OAUTH_PATHS.token,
      formWith({ dpop: unsigned }, `grant_type=refresh_token&client_id=${encodeURIComponent(CLIENT)}&refresh_token=x`),
    ],
    ["multipart", OAUTH_PATHS.token, form("--x\r\n\r\n--x--", "multipart/form-data; boundary=x")],
    ["text", OAUTH_PATHS.token, form("grant_type=refresh_token", "text/plain")],
    [
      "a charset",
      OAUTH_PATHS.token,
      form("grant_type=refresh_token&client_id=x", "application/x-www-form-urlencoded; charset=utf-16"),
    ],
    ["a broken content type", OAUTH_PATHS.token, form("grant_type=refresh_token", ";;;")],
    [
      "a content encoding",
      OAUTH_PATHS.token,
      formWith({ "content-encoding": "gzip" }, "grant_type=refresh_token&client_id=x"),
    ],
    [
      "bytes that are no text",
      OAUTH_PATHS.token,
      {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: new Uint8Array([0xff, 0xfe, 0x00, 0x3d]),
      },
    ],
    ["5,000 parameters", OAUTH_PATHS.token, form("a&".repeat(5_000))],
    ["nested parameters", OAUTH_PATHS.token, form(`grant_type${"[a]".repeat(1_000)}=x`)],
    ["__proto__", OAUTH_PATHS.token, form("__proto__=x&grant_type=refresh_token&client_id=__proto__")],
    [
      "an assertion that is no JWT",
      OAUTH_PATHS.token,
      form(
        `grant_type=client_credentials&client_assertion_type=${encodeURIComponent("urn:ietf:params:oauth:client-assertion-type:jwt-bearer")}&client_assertion=a.b.c`,
      ),
    ],
    [
      "an assertion with NUL",
      OAUTH_PATHS.token,
      form(
        `grant_type=client_credentials&client_assertion_type=${encodeURIComponent("urn:ietf:params:oauth:client-assertion-type:jwt-bearer")}&client_assertion=${Buffer.from('{"alg":"none"}').toString("base64url")}.${Buffer.from('{"sub":"urn:uuid:\\u0000","iss":"urn:uuid:\\u0000"}').toString("base64url")}.x`,
      ),
    ],
    [
      "an identity assertion that is no JWT",
      OAUTH_PATHS.token,
      form(
        `grant_type=${encodeURIComponent("urn:ietf:params:oauth:grant-type:jwt-bearer")}&assertion=x&client_id=${encodeURIComponent(CLIENT)}`,
      ),
    ],
    ["NUL to revoke", OAUTH_PATHS.revocation, form(`token=%00&client_id=${encodeURIComponent(CLIENT)}`)],
    ["two tokens to revoke", OAUTH_PATHS.revocation, form(`token=a&token=b&client_id=${encodeURIComponent(CLIENT)}`)],
    [
      "an unsigned token to revoke",
      OAUTH_PATHS.revocation,
      form(`token=${unsigned}&client_id=${encodeURIComponent(CLIENT)}`),
    ],
    [
      "a registration with NUL",
      OAUTH_PATHS.registration,
      form(JSON.stringify({ client_name: "\u0000", redirect_uris: [CALLBACK] }), "application/json"),
    ],
    [
      "a registration with a lone surrogate",
      OAUTH_PATHS.registration,
      form('{"client_name":"\\ud800","redirect_uris":["http://127.0.0.1/callback"]}', "application/json"),
    ],
    [
      "a registration with NUL in an address",
      OAUTH_PATHS.registration,
      form(JSON.stringify({ redirect_uris: ["com.example.app:/\u0000"] }), "application/json"),
    ],
    [
      "a registration of __proto__",
      OAUTH_PATHS.registration,
      form('{"__proto__":{"a":1},"redirect_uris":["http://127.0.0.1/callback"]}', "application/json"),
    ],
    [
      "a deep registration",
      OAUTH_PATHS.registration,
      form(`${'{"jwks":'.repeat(1_500)}1${"}".repeat(1_500)}`, "application/json"),
    ],
    ["a registration that is a list", OAUTH_PATHS.registration, form("[]", "application/json")],
    ["a registration as a form", OAUTH_PATHS.registration, form("redirect_uris=x")],
  ])("%s", async (_what, path, init) => {
    expect(await flawsOf(path, init)).toEqual([]);
  });
});

describe("client documents", () => {
  it.each<[string, (id: string) => unknown]>([
    ["a redirect to itself", (id) => ({ client_id: id, redirect_uris: [id] })],
    ["400 addresses", (id) => ({ client_id: id, redirect_uris: Array.from({ length: 400 }, (_, n) => `a:${n}`) })],
    ["addresses that are no text", (id) => ({ client_id: id, redirect_uris: [null, 1, {}, []] })],
    ["addresses that are an object", (id) => ({ client_id: id, redirect_uris: { length: 1e9 } })],
    ["a name that is no text", (id) => ({ client_id: id, client_name: { a: 1 }, redirect_uris: [CALLBACK] })],
    ["NUL in its name", (id) => ({ client_id: id, client_name: "a\u0000b", redirect_uris: [CALLBACK] })],
    [
      "a lone surrogate in its name",
      (id) => `{"client_id":"${id}","client_name":"\\ud800","redirect_uris":["${CALLBACK}"]}`,
    ],
    ["NUL in another member", (id) => ({ client_id: id, x: "\u0000", redirect_uris: [CALLBACK] })],
    [
      "deep members",
      (id) => `{"client_id":"${id}","redirect_uris":["${CALLBACK}"],"x":${"[".repeat(2_000)}${"]".repeat(2_000)}}`,
    ],
    ["grant types that are no list", (id) => ({ client_id: id, grant_types: "implicit", redirect_uris: [CALLBACK] })],
    [
      "the implicit grant",
      (id) => ({ client_id: id, grant_types: ["implicit"], response_types: ["token"], redirect_uris: [CALLBACK] }),
    ],
    ["__proto__", (id) => `{"client_id":"${id}","redirect_uris":["${CALLBACK}"],"__proto__":{"isAdmin":true}}`],
    ["a list", () => []],
    ["null", () => "null"],
  ])("a document with %s", async (what, document) => {
    const id = `https://odd.example.com/${encodeURIComponent(what)}.json`;
    documents.set(id, document(id));
    expect(await begins({ client_id: id })).toEqual([]);
  });
});

it("none of them connected anybody or redeemed anything", async () => {
  expect(await database.query("select 1 from connection")).toEqual([]);
  const models = await database.query<{ model: string }>("select distinct model from oauth_row order by model");
  expect(models.map(({ model }) => model)).toEqual(["ConnectionRequest", "Interaction"]);
});
