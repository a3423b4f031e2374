import { createHook } from "node:async_hooks";
import { SignJWT, generateKeyPair } from "jose";
import { beforeAll, expect, it } from "vitest";
import { oauth, oauthWith } from "@/lib/agents/oauth/server";
import { OAUTH_PATHS } from "@/lib/agents/oauth/paths";
import { outbound, type OutboundAnswer, type OutboundRequest } from "@/lib/outbound/fetch";
import { save, supportDocument } from "@/test/api/agents-world";
import { authorizationQuery, pkce, RESOURCE } from "@/test/api/oauth/world";
import { useDatabase } from "@/test/support/database";
import { ORIGIN } from "@/test/support/person";

// What a client document makes this server request: the document and its keys, each within limits and never inside the network
// (draft-ietf-oauth-client-id-metadata-document, 6). attacks.test.ts has the addresses that are no client.

const database = useDatabase();
beforeAll(() => save(supportDocument()));

const CLIENT = "https://client.example.com/client.json";
const INNER = [
  "https://127.0.0.1:1/keys",
  "https://[::1]/keys",
  "https://169.254.169.254/latest",
  "https://10.0.0.1/keys",
];

/** An authorization server whose internet holds one document; everything else is requested for real. */
function serverFor(document: object | ((request: OutboundRequest) => OutboundAnswer)) {
  const asked: OutboundRequest[] = [];
  const answer = (body: object): OutboundAnswer => ({
    status: 200,
    headers: { "content-type": "application/json" },
    body: new TextEncoder().encode(JSON.stringify(body)),
    ms: 1,
  });
  const handler = oauthWith(async (request) => {
    asked.push(request);
    if (request.url !== CLIENT) return outbound(request);
    return typeof document === "function" ? document(request) : answer({ client_id: CLIENT, ...document });
  });
  const begin = () =>
    handler(new Request(`${ORIGIN}/oauth/authorize?${authorizationQuery(pkce().challenge, { client_id: CLIENT })}`));
  const redeem = async () => {
    const { privateKey } = await generateKeyPair("ES256");
    const assertion = await new SignJWT({ jti: crypto.randomUUID() })
      .setProtectedHeader({ alg: "ES256", kid: "one" })
      .setIssuer(CLIENT)
      .setSubject(CLIENT)
      .setAudience(ORIGIN)
      .setIssuedAt()
      .setExpirationTime("1m")
      .sign(privateKey);
    const body = new URLSearchParams({
      grant_type: "refresh_token",
      refresh_token: "x",
      client_id: CLIENT,
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: assertion,
      resource: RESOURCE,
    });
    return handler(new Request(`${ORIGIN}${OAUTH_PATHS.token}`, { method: "POST", body }));
  };
  return { asked, begin, redeem };
}

const REDIRECTS = { redirect_uris: ["http://127.0.0.1/callback"] };

it("is requested once, with at most 16 KiB and 5 s, and without credentials", async () => {
  const { asked, begin } = serverFor(REDIRECTS);
  expect((await begin()).status).toBe(303);
  expect((await begin()).status).toBe(303);
  expect(asked).toEqual([
    { url: CLIENT, headers: { accept: "application/json" }, totalMs: 5_000, maxBytes: 16 * 1024 },
  ]);
});

it.each<[string, () => OutboundAnswer]>([
  ["cannot be reached", () => Promise.reject(new Error("The host is gone.")) as never],
  ["is no document", () => ({ status: 200, headers: {}, body: new TextEncoder().encode("{}"), ms: 1 })],
])("that %s is requested once by each request", async (_what, document) => {
  await database.query("delete from client_document");
  const { asked, begin, redeem } = serverFor(document);
  for (const send of [begin, redeem]) {
    asked.length = 0;
    const answered = await send();
    expect([answered.status >= 400, answered.headers.get("location"), asked.length]).toEqual([true, null, 1]);
  }
});

it.each([301, 302, 307, 308])("that is a redirect (%i) is not followed", async (status) => {
  const { asked, begin } = serverFor(() => ({
    status,
    headers: { location: "https://169.254.169.254/latest" },
    body: new Uint8Array(),
    ms: 1,
  }));
  expect((await begin()).status).toBe(400);
  expect(new Set(asked.map(({ url }) => url))).toEqual(new Set([CLIENT]));
});

it.each(INNER)("whose keys are at %s yields no token", async (address) => {
  const keys = { token_endpoint_auth_method: "private_key_jwt", jwks_uri: address };
  const { asked, redeem } = serverFor({ ...REDIRECTS, ...keys });
  const answered = await redeem();
  expect([answered.status, ((await answered.json()) as { error: string }).error]).toEqual([401, "invalid_client"]);
  expect(asked.map(({ url }) => url)).toEqual([CLIENT, address]);
});

it("names further addresses that are not requested", async () => {
  const names = ["logo_uri", "client_uri", "policy_uri", "tos_uri", "initiate_login_uri", "sector_identifier_uri"];
  const addresses = Object.fromEntries(names.map((name) => [name, `https://169.254.169.254/${name}`]));
  const { asked, begin } = serverFor({ ...REDIRECTS, ...addresses });
  await begin();
  expect(asked.map(({ url }) => url)).toEqual([CLIENT]);
});

it.each<[string, string, string]>([
  ["is no JSON", "<html>", "is not JSON"],
  ["has a NUL byte", `{"client_id":"${CLIENT}","client_name":"a\0b"}`, "is not JSON"],
  [
    "has a NUL character",
    `{"client_id":"${CLIENT}","contacts":["a\\u0000b"]}`,
    "`contacts[0]` contains a NUL character",
  ],
  ["has half a character", `{"client_id":"${CLIENT}","x":"\\ud800"}`, "`x` contains half of a surrogate pair"],
])("that %s is refused, the answers say why, and it is not kept", async (_what, text, fault) => {
  await database.query("delete from client_document");
  const { begin, redeem } = serverFor(() => ({
    status: 200,
    headers: {},
    body: new TextEncoder().encode(text),
    ms: 1,
  }));
  const page = await begin();
  expect([page.status, page.headers.get("location")]).toEqual([400, null]);
  expect(await page.text()).toContain(fault);
  const refused = (await (await redeem()).json()) as { error: string; error_description: string };
  expect(refused).toMatchObject({
    error: "invalid_client",
    error_description: expect.stringContaining(fault) as string,
  });
  expect(refused.error_description).toContain(`The document at ${CLIENT} `);
  expect(await database.query("select 1 from client_document")).toEqual([]);
});

it("of a host that answers 404 is refused with the status", async () => {
  const { begin } = serverFor(() => ({ status: 404, headers: {}, body: new Uint8Array(), ms: 1 }));
  expect(await (await begin()).text()).toContain(`The document at ${CLIENT} was answered with status 404.`);
});

it("has a host whose name takes no place among the system's few lookups", async () => {
  const lookups: { type: string; request: { hostname?: string } }[] = [];
  const hook = createHook({ init: (_id, type, _cause, request) => void lookups.push({ type, request }) }).enable();
  const client = { client_id: "https://stranger.invalid/client.json" };
  const query = authorizationQuery(pkce().challenge, client);
  const refused = await oauth(new Request(`${ORIGIN}/oauth/authorize?${query}`));
  hook.disable();
  expect(refused.status).toBe(400);
  const types = lookups.filter(({ request }) => request.hostname === "stranger.invalid").map(({ type }) => type);
  expect(new Set(types)).toEqual(new Set(["QUERYWRAP"]));
});
