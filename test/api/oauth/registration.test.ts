import { exportJWK, generateKeyPair } from "jose";
import { beforeEach, describe, expect, it } from "vitest";
import { GET as trailRoute } from "@/app/api/admin/audit/route";
import { GET as listRoute } from "@/app/api/admin/client-registrations/route";
import { DELETE as removeRoute } from "@/app/api/admin/client-registrations/[id]/route";
import { OAUTH_PATHS } from "@/lib/agents/oauth/paths";
import { REGISTRATION_LIMITS } from "@/lib/store/oauth/client-registrations";
import { findConnectionRequest } from "@/lib/store/oauth/connection-requests";
import { sweepSignIns } from "@/lib/store/oauth/sweep";
import type { Role } from "@/lib/resources/permissions";
import { save, supportDocument } from "@/test/api/agents-world";
import {
  authorizationQuery,
  authorize,
  begin,
  CALLBACK,
  listStatus,
  useGateway,
  pkce,
  redemption,
  refreshing,
  token,
} from "@/test/api/oauth/world";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";
import { ORIGIN } from "@/test/support/person";

const database = useDatabase();

beforeEach(async () => {
  await database.query(`delete from client_registration`);
  await switchOn(true);
});
const gateway = useGateway();

const switchOn = (registration: boolean) =>
  save({ ...supportDocument(), settings: { clientSignIn: { registration } } });

/** Sends a registration. */
async function register(
  metadata: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; json: Record<string, unknown> }> {
  const answered = await gateway.send(OAUTH_PATHS.registration, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof metadata === "string" ? metadata : JSON.stringify(metadata),
  });
  const text = await answered.text();
  return { status: answered.status, json: text === "" ? {} : (JSON.parse(text) as Record<string, unknown>) };
}

const EDITOR = { client_name: "Editor", redirect_uris: [CALLBACK] };
const registered = async () => String((await register(EDITOR)).json["client_id"]);

/** The tokens of a person who connected a registered client. */
async function connect(client: string): Promise<{ access: string; refresh: string }> {
  const { challenge, verifier } = pkce();
  const sent = await authorize(gateway, authorizationQuery(challenge, { client_id: client }), { agent: "reader" });
  const form = { ...redemption(sent.searchParams.get("code") ?? "", verifier), client_id: client };
  const { json } = await token(gateway, form);
  return { access: String(json["access_token"]), refresh: String(json["refresh_token"]) };
}

const list = (role: Role = "admin") => ask(listRoute, "GET", "/api/admin/client-registrations", { role });
const remove = (id: string, role: Role = "admin") =>
  ask(removeRoute, "DELETE", `/api/admin/client-registrations/${id}`, { role, params: { id } });

describe("the switch", () => {
  it("is off by default: no endpoint, and none in the metadata", async () => {
    await save(supportDocument());
    await switchOn(false);
    const metadata = async () =>
      (await (await gateway.send("/.well-known/oauth-authorization-server")).json()) as Record<string, unknown>;
    expect(await metadata()).not.toHaveProperty("registration_endpoint");
    expect((await register(EDITOR)).status).toBe(404);
    await switchOn(true);
    expect(await metadata()).toMatchObject({ registration_endpoint: `${ORIGIN}/oauth/register` });
    expect((await register(EDITOR)).status).toBe(201);
  });

  it("stops registrations, and leaves connected clients as they are", async () => {
    const { access, refresh } = await connect(await registered());
    await switchOn(false);
    expect(await listStatus(gateway, access)).toBe(200);
    const form = { ...refreshing(refresh), client_id: String((await list()).json.items[0]?.["id"]) };
    expect((await token(gateway, form)).status).toBe(200);
  });
});

describe("a client that registers itself", () => {
  it("is a public client, signs a person in, and the consent says that nobody vouches for its name", async () => {
    const { status, json } = await register({ ...EDITOR, token_endpoint_auth_method: "client_secret_basic" });
    expect([status, json]).toMatchObject([
      201,
      {
        client_id: expect.stringMatching(/^urn:uuid:[0-9a-f-]{36}$/) as string,
        client_name: "Editor",
        redirect_uris: [CALLBACK],
        token_endpoint_auth_method: "none",
        grant_types: ["authorization_code", "refresh_token"],
      },
    ]);
    expect(json).not.toHaveProperty("client_secret");
    expect(json).not.toHaveProperty("registration_access_token");
    const client = String(json["client_id"]);
    const { uid } = await begin(gateway, authorizationQuery(pkce().challenge, { client_id: client }));
    expect(await findConnectionRequest(uid)).toMatchObject({ clientHost: null, isSelfRegistered: true });
    expect(await listStatus(gateway, (await connect(client)).access)).toBe(200);
  });

  it("may state its public keys, and never acts without a person", async () => {
    const { publicKey } = await generateKeyPair("ES256");
    const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: "one", alg: "ES256" }] };
    const { json } = await register({ ...EDITOR, token_endpoint_auth_method: "private_key_jwt", jwks });
    expect(json).toMatchObject({ token_endpoint_auth_method: "private_key_jwt" });
    expect((json["grant_types"] as string[]).includes("client_credentials")).toBe(false);
  });

  it.each<[string, unknown, string]>([
    ["no redirect address", { client_name: "Editor" }, "invalid_redirect_uri"],
    ["an empty list of addresses", { redirect_uris: [] }, "invalid_redirect_uri"],
    ["a javascript: address", { redirect_uris: ["javascript:alert(1)"] }, "invalid_redirect_uri"],
    ["plain http to a host", { redirect_uris: ["http://evil.example.com/callback"] }, "invalid_redirect_uri"],
    ["a fragment", { redirect_uris: ["https://client.example.com/done#x"] }, "invalid_redirect_uri"],
    ["too many addresses", { redirect_uris: Array.from({ length: 21 }, () => CALLBACK) }, "invalid_redirect_uri"],
    ["a software statement", { ...EDITOR, software_statement: "x.y.z" }, "unapproved_software_statement"],
    ["a private key", { ...EDITOR, jwks: { keys: [{ kty: "EC", d: "x" }] } }, "invalid_client_metadata"],
    ["a key address without TLS", { ...EDITOR, jwks_uri: "http://a.example/k" }, "invalid_client_metadata"],
    ["a list", [], "invalid_client_metadata"],
    ["no JSON", "<html>", "invalid_client_metadata"],
  ])("with %s is refused", async (_what, metadata, error) => {
    expect(await register(metadata)).toMatchObject({ status: 400, json: { error } });
    expect(await database.query(`select from client_registration`)).toEqual([]);
  });

  it("gets no redirect to an address that it did not register", async () => {
    const client = await registered();
    const redirect = "https://evil.example.com/callback";
    const query = authorizationQuery(pkce().challenge, { client_id: client, redirect_uri: redirect });
    const { began } = await begin(gateway, query);
    expect([began.status, began.headers.get("location")]).toEqual([400, null]);
  });

  it("with more than 16 KiB is refused", async () => {
    const { status } = await register({ ...EDITOR, x: "x".repeat(17 * 1024) });
    expect(status).toBe(413);
  });
});

it("an address registers at most 20 clients an hour, also several at once and with a forged address", async () => {
  await database.query(
    `insert into client_registration (id, name, metadata, address, "createdAt")
     select 'urn:uuid:' || n, '', '{}', '127.0.0.1', now() from generate_series(1, $1) n`,
    [REGISTRATION_LIMITS.perHour - 2],
  );
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) => register(EDITOR, { "x-forwarded-for": `192.0.2.${index}` })),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
  const refused = answers.find(({ status }) => status !== 201);
  expect(refused).toMatchObject({ status: 429, json: { error: "temporarily_unavailable" } });
  await database.query(`update client_registration set "createdAt" = "createdAt" - interval '61 minutes'`);
  expect((await register(EDITOR)).status).toBe(201);
});

describe("an admin", () => {
  it("sees them with their connections; removing one ends its tokens at once, and the audit trail has both", async () => {
    const client = await registered();
    const { access, refresh } = await connect(client);
    expect((await list()).json).toMatchObject({
      total: 1,
      items: [{ id: client, name: "Editor", redirectUris: [CALLBACK], connections: 1, address: "127.0.0.1" }],
    });
    expect((await list("editor")).status).toBe(403);
    expect((await remove(client, "auditor")).status).toBe(403);
    expect((await remove(client)).status).toBe(204);
    expect((await remove(client)).status).toBe(404);
    expect(await listStatus(gateway, access)).toBe(401);
    const used = await token(gateway, { ...refreshing(refresh), client_id: client });
    expect(used.json).toMatchObject({ error: "invalid_client" });
    const trail = async (action: string) =>
      (await ask(trailRoute, "GET", `/api/admin/audit?action=${action}&target=${encodeURIComponent(client)}`)).json;
    expect(await trail("clients.registered")).toMatchObject({
      items: [{ actor: { kind: "client", name: "Editor (registered itself)" }, address: "127.0.0.1" }],
    });
    expect(await trail("clients.removed")).toMatchObject({ items: [{ actor: { name: "admin@example.com" } }] });
  });
});

it("unused clients expire after a day, used ones after 90 days, connected ones never before their connection", async () => {
  const [never, used, connected] = [await registered(), await registered(), await registered()];
  await connect(connected);
  // A request that no person answers is no use.
  await begin(gateway, authorizationQuery(pkce().challenge, { client_id: never }));
  const age = (id: string, column: string, days: number) =>
    database.query(
      `update client_registration set "${column}" = now() - make_interval(days => $2::int) where id = $1`,
      [id, days],
    );
  const ids = async () => (await list()).json.items.map(({ id }) => id).toSorted();
  await age(used, "lastUsedAt", 89);
  await age(connected, "lastUsedAt", 91);
  await sweepSignIns();
  expect(await ids()).toEqual([never, used, connected].toSorted());
  await age(never, "createdAt", 2);
  await age(used, "lastUsedAt", 91);
  await sweepSignIns();
  expect(await ids()).toEqual([connected]);
});
