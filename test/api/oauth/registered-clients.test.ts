import { decodeJwt, exportJWK, generateKeyPair, type CryptoKey } from "jose";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { OAUTH_PATHS } from "@/lib/agents/oauth/paths";
import { registeredClients } from "@/lib/agents/oauth/registered-client";
import { oauthWith } from "@/lib/agents/oauth/server";
import { outbound } from "@/lib/outbound/fetch";
import { drain } from "@/lib/server/front/front";
import { agentInput } from "@/lib/resources/agent";
import { agents } from "@/lib/store/config/agents";
import { clients } from "@/lib/store/config/clients";
import * as snapshots from "@/lib/store/snapshot/snapshot";
import { ADMIN, save, supportDocument } from "@/test/api/agents-world";
import {
  authorizationQuery,
  authorize,
  begin,
  clientAssertion,
  connectAs,
  listStatus,
  openGateway,
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
let key: CryptoKey;

const BLANK = { description: "", enabled: true, redirectUris: [], agent: null, jwks: null };

beforeAll(async () => {
  await save(supportDocument());
  const pair = await generateKeyPair("ES256");
  key = pair.privateKey;
  const jwks = { keys: [{ ...(await exportJWK(pair.publicKey)), kid: "one", alg: "ES256" }] };
  await clients.create(ADMIN, { ...BLANK, name: "nightly", agent: "reader", jwks: jwks as never });
  await clients.create(ADMIN, { ...BLANK, name: "plugin", redirectUris: ["http://127.0.0.1/callback"] });
});
const gateway = useGateway();

/** Enables or disables a client. */
async function enable(name: string, enabled: boolean): Promise<void> {
  const { revision, createdAt: _created, updatedAt: _updated, ...row } = await clients.get(name);
  await clients.replace(ADMIN, name, { ...row, enabled }, revision);
}

/** The form of a client that signs its request. */
async function signed(
  changes: { client?: string; audience?: string; jti?: string; by?: CryptoKey } = {},
): Promise<Record<string, string>> {
  const { client = "nightly", by = key, ...claims } = changes;
  const authentication = await clientAssertion(client, by, claims);
  return { grant_type: "client_credentials", ...authentication, resource: RESOURCE, scope: "tools" };
}

describe("a registered client without a person", () => {
  it("gets a token by its key, which acts as its agent and ends with the client", async () => {
    const { status, json } = await token(gateway, await signed());
    expect([status, json["scope"], json["refresh_token"]]).toEqual([200, "tools", undefined]);
    const access = String(json["access_token"]);
    expect(await listStatus(gateway, access)).toBe(200);
    await enable("nightly", false);
    expect(await listStatus(gateway, access)).toBe(401);
    expect((await token(gateway, await signed())).json).toMatchObject({ error: "invalid_client" });
    await enable("nightly", true);
    expect(await listStatus(gateway, access)).toBe(200);
  });

  it("gets the scope `tools` also when its request leaves it out, or names no scope", async () => {
    const { scope: _scope, ...bare } = await signed();
    const other = { ...(await signed()), scope: "openid" };
    for (const form of [bare, other]) {
      const { status, json } = await token(gateway, form);
      expect([status, json["scope"]]).toEqual([200, "tools"]);
      expect(decodeJwt(String(json["access_token"]))["scope"]).toBe("tools");
    }
  });

  it("is refused with another key, another audience, a used jti, no resource or no key", async () => {
    const other = (await generateKeyPair("ES256")).privateKey;
    const twice = await signed({ jti: "the-same" });
    expect((await token(gateway, twice)).status).toBe(200);
    const { resource: _resource, ...bare } = await signed();
    const { client_assertion: _assertion, ...keyless } = await signed();
    const refused = [twice, await signed({ by: other }), await signed({ audience: "https://evil.example.com" })];
    const codes: unknown[] = [];
    for (const form of [...refused, bare, keyless]) codes.push((await token(gateway, form)).json["error"]);
    expect(codes).toEqual([...Array.from({ length: 3 }, () => "invalid_client"), "invalid_target", "invalid_client"]);
  });

  it("50 uses of one assertion at once yield one token", async () => {
    const form = await signed();
    const answers = await Promise.all(Array.from({ length: 50 }, () => token(gateway, form)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it("needs one statement for a token: that the assertion is used", async () => {
    // In this process, so that the statements are those of the request.
    const handler = oauthWith(outbound);
    const redeem = async () => {
      const form = new URLSearchParams(await signed());
      const request = new Request(`${ORIGIN}${OAUTH_PATHS.token}`, { method: "POST", body: form });
      expect((await handler(request)).status).toBe(200);
    };
    // The first one reads the keys of the server.
    await redeem();
    expect(await statementsOf(redeem)).toEqual([expect.stringContaining("INSERT INTO oauth_row")]);
  });
});

describe("a registered client of people", () => {
  it("signs people in by its name, and ends with its registration", async () => {
    const { challenge, verifier } = pkce();
    const query = authorizationQuery(challenge, { client_id: "plugin" });
    const sent = await authorize(gateway, query, { agent: "reader" });
    const form = { ...redemption(sent.searchParams.get("code") ?? "", verifier), client_id: "plugin" };
    const { json } = await token(gateway, form);
    const access = String(json["access_token"]);
    expect(await listStatus(gateway, access)).toBe(200);
    await enable("plugin", false);
    expect(await listStatus(gateway, access)).toBe(401);
    const refresh = { ...refreshing(String(json["refresh_token"])), client_id: "plugin" };
    expect((await token(gateway, refresh)).json).toMatchObject({ error: "invalid_client" });
  });

  it.each(["deleted", "renamed"])(
    "that is %s loses its connections: a later client of that name has none",
    async (how) => {
      const first = { ...BLANK, name: `mail-${how}`, redirectUris: ["http://127.0.0.1/callback"] };
      const named = { client_id: first.name };
      await clients.create(ADMIN, first);
      const { challenge, verifier } = pkce();
      const sent = await authorize(gateway, authorizationQuery(challenge, named), { agent: "reader" });
      const { json } = await token(gateway, { ...redemption(sent.searchParams.get("code") ?? "", verifier), ...named });
      if (how === "deleted") await clients.remove(ADMIN, first.name);
      else await clients.replace(ADMIN, first.name, { ...first, name: "moved" }, "*");
      const left = `SELECT id FROM connection WHERE client = $ UNION ALL
      SELECT id FROM oauth_row WHERE model = 'RefreshToken' AND payload->>'clientId' = $`;
      expect(await database.query(left.replaceAll("$", `'${first.name}'`))).toEqual([]);
      await clients.create(ADMIN, { ...first, redirectUris: ["https://vendor.example.com/done"] });
      expect(await listStatus(gateway, String(json["access_token"]))).toBe(401);
      const again = await token(gateway, { ...refreshing(String(json["refresh_token"])), ...named });
      expect(again.json).toMatchObject({ error: "invalid_grant" });
    },
  );

  it("loses its connections with the agent that it acts as: a later agent of that name has none", async () => {
    const ops = agentInput.parse({ name: "ops", attributes: { team: "support" } });
    await agents.create(ADMIN, ops);
    const { access, refresh } = await connectAs(gateway, "ops");
    expect(await listStatus(gateway, access)).toBe(200);
    await agents.replace(ADMIN, "ops", { ...ops, name: "ops-old" }, "*");
    await agents.create(ADMIN, ops);
    expect(await listStatus(gateway, access)).toBe(401);
    expect((await token(gateway, refreshing(refresh))).json).toMatchObject({ error: "invalid_grant" });
  });

  it("cannot act without a person", async () => {
    await enable("plugin", true);
    const form = { grant_type: "client_credentials", client_id: "plugin", resource: RESOURCE };
    expect((await token(gateway, form)).json).toMatchObject({ error: "unauthorized_client" });
  });
});

describe("a client that another instance has just registered", () => {
  it("is looked up before it is refused", async () => {
    const newest = vi.spyOn(snapshots, "newestSnapshot");
    // The time stands still: no second passes between the two requests.
    vi.useFakeTimers({ toFake: ["performance"] });
    const fresh = await openGateway();
    onTestFinished(async () => {
      vi.useRealTimers();
      newest.mockRestore();
      await drain(fresh.server, 0);
    });
    for (const client of ["late", "stranger"]) {
      const { began } = await begin(fresh, authorizationQuery(pkce().challenge, { client_id: client }));
      expect([began.status, newest.mock.calls.length]).toEqual([400, 1]);
    }
  });

  it("is looked up in the store at most once a second, whatever strangers name", async () => {
    const before = await snapshots.currentSnapshot();
    await clients.create(ADMIN, { ...BLANK, name: "later", redirectUris: ["http://127.0.0.1/callback"] });
    const clock = { now: 0 };
    const newest = vi.fn<typeof snapshots.newestSnapshot>(snapshots.newestSnapshot);
    const find = registeredClients({ current: async () => before, newest, now: () => clock.now });
    expect(await find("https://client.example.com/c.json")).toBeNull();
    expect(newest).toHaveBeenCalledTimes(0);
    const both = await Promise.all([find("later"), find("later")]);
    expect(both).toMatchObject([{ client_id: "later" }, { client_id: "later" }]);
    for (let at = 0; at < 100; at += 1) expect(await find(`stranger-${at}`)).toBeNull();
    expect(newest).toHaveBeenCalledTimes(1);
    clock.now += 1_000;
    expect(await find("later")).toMatchObject({ client_id: "later" });
    expect(newest).toHaveBeenCalledTimes(2);
  });
});
