import { decodeJwt, exportJWK, generateKeyPair } from "jose";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { GET as listRoute } from "@/app/api/admin/connections/route";
import {
  DELETE as liftRoute,
  GET as revokedRoute,
  POST as revokeRoute,
} from "@/app/api/admin/connections/revocations/route";
import { POST as testRoute } from "@/app/api/admin/connections/test/route";
import { POST as approveRoute } from "@/app/api/admin/approvals/[id]/approve/route";
import { POST as impactRoute } from "@/app/api/admin/impact/route";
import { POST as previewRoute } from "@/app/api/admin/preview/route";
import { processApiKeys, processKeys } from "@/lib/auth/agents/agent";
import { authenticateAgent, byToken, reauthenticate } from "@/lib/auth/agents/authenticate";
import { isOutdated } from "@/lib/calls/pipeline/call-context";
import type { Role } from "@/lib/resources/permissions";
import { clients } from "@/lib/store/config/clients";
import { endConnection } from "@/lib/store/oauth/connections";
import { currentSnapshot, newestSnapshot, type Snapshot } from "@/lib/store/snapshot/snapshot";
import { ADMIN, Client, documentWithTool, save, supportDocument } from "@/test/api/agents-world";
import {
  CLIENT,
  clientAssertion,
  connectAs,
  listStatus,
  useGateway,
  refreshing,
  RESOURCE,
  token,
} from "@/test/api/oauth/world";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";
import { ORIGIN } from "@/test/support/person";

const database = useDatabase();

beforeAll(() => save(supportDocument()));
const gateway = useGateway();

const test = (value: string, role: Role = "admin") =>
  ask(testRoute, "POST", "/api/admin/connections/test", { role, body: { token: value } });
const revoke = (jti: string, role: Role = "admin") =>
  ask(revokeRoute, "POST", "/api/admin/connections/revocations", { role, body: { jti } });

describe("the token test", () => {
  it("names person, client, agent, scopes, groups and the end of an access token", async () => {
    const { access } = await connectAs(gateway, "reader");
    await database.query(`update person set groups = '{tier-1}' where name = 'the-admin'`);
    await save({ ...supportDocument(), settings: {} });
    const { json } = await test(access);
    const { exp = 0, grant } = decodeJwt(access);
    expect(json).toMatchObject({
      accepted: true,
      issuer: "quartermaster",
      agent: "reader",
      capabilities: ["tools"],
      expiresAt: new Date(exp * 1000).toISOString(),
      connection: {
        id: grant,
        person: "the-admin",
        role: "admin",
        client: CLIENT,
        clientName: "Test client",
        agent: "reader",
        scopes: ["tools"],
      },
    });
    expect((await test(access, "editor")).status).toBe(403);
  });

  it("says of a token why it is refused: another key, an ended connection", async () => {
    const { access, refresh } = await connectAs(gateway, "reader");
    const forged = await test(`${access.slice(0, -20)}${"A".repeat(20)}`);
    expect(forged.json).toMatchObject({ accepted: false, connection: null, claims: null });
    await database.query(
      `update oauth_row set "consumedAt" = now() - interval '1 minute' where model = 'RefreshToken'`,
    );
    await token(gateway, refreshing(refresh));
    const { json } = await test(access);
    const checks = json["checks"] as { check: string; verdict: string; says: string }[];
    expect([json["accepted"], checks.filter(({ verdict }) => verdict === "failed")]).toMatchObject([
      false,
      [{ says: expect.stringContaining("The connection of this client has ended") as string }],
    ]);
  });
});

describe("a token of a connection or client that another instance has just made", () => {
  const callerOf = async (access: string, newestRegistry: () => Promise<Snapshot>, registry: Snapshot) => {
    const sources = { newestRegistry, registry: async () => registry, keys: processKeys(), now: Date.now };
    const authenticate = authenticateAgent({ ...sources, verifyApiKey: processApiKeys() });
    return authenticate(new Request(ORIGIN, { headers: { authorization: `Bearer ${access}` } }));
  };

  it("is accepted: the configuration is read again, once for each request, and an ended one stays refused", async () => {
    const before = await currentSnapshot();
    const { access } = await connectAs(gateway, "reader");
    const newest = vi.fn<typeof newestSnapshot>(newestSnapshot);
    expect((await callerOf(access, newest, before)).principal.agent).toBe("reader");
    await endConnection(ADMIN, String(decodeJwt(access)["grant"]), null);
    await expect(callerOf(access, newest, before)).rejects.toMatchObject({ code: "unauthenticated" });
    expect(newest).toHaveBeenCalledTimes(2);
  });

  it("is accepted also without a person, when the client is that new", async () => {
    const before = await currentSnapshot();
    const { privateKey, publicKey } = await generateKeyPair("ES256");
    const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: "one", alg: "ES256" }] } as never;
    const client = { name: "nightly", description: "", enabled: true, redirectUris: [], agent: "reader", jwks };
    await clients.create(ADMIN, client);
    const authentication = await clientAssertion("nightly", privateKey);
    const form = { grant_type: "client_credentials", ...authentication, resource: RESOURCE, scope: "tools" };
    const access = String((await token(gateway, form)).json["access_token"]);
    expect((await callerOf(access, newestSnapshot, before)).principal.agent).toBe("reader");
  });
});

describe("the revocation of one access token", () => {
  it("applies from the next request on, is listed, and can be lifted", async () => {
    const { access, refresh } = await connectAs(gateway, "reader");
    const jti = String(decodeJwt(access).jti);
    expect((await revoke(jti, "editor")).status).toBe(403);
    expect((await revoke(jti)).status).toBe(201);
    expect(await listStatus(gateway, access)).toBe(401);
    const { json } = await token(gateway, refreshing(refresh));
    expect(await listStatus(gateway, String(json["access_token"]))).toBe(200);
    const listed = await ask(revokedRoute, "GET", "/api/admin/connections/revocations");
    expect(listed.json.items).toMatchObject([{ jti, by: "admin@example.com" }]);
    expect(await database.query(`select issuer from revoked_token`)).toEqual([{ issuer: ORIGIN }]);
    await ask(liftRoute, "DELETE", `/api/admin/connections/revocations?jti=${jti}`);
    expect(await listStatus(gateway, access)).toBe(200);
  });
});

describe("a policy that demands a client and how the person signed in", () => {
  const demand = async (client: string, amr: string) => {
    const document = supportDocument() as { policies: { name: string }[] };
    const matchers = [
      { claim: "client_id", operator: "equals", value: client },
      { claim: "amr", operator: "contains", value: amr },
    ];
    const policies = document.policies.map((policy) =>
      policy.name === "support-staff" ? { ...policy, matchers } : policy,
    );
    await save({ ...document, policies });
  };

  it.each([
    ["this client, a password", CLIENT, "pwd", true],
    ["another client", "https://other.example.com/client.json", "pwd", false],
    ["a provider's sign-in", CLIENT, "fed", false],
  ])("decides for the token of a sign-in, and the preview agrees: %s", async (_what, client, amr, grants) => {
    const { access } = await connectAs(gateway, "reader");
    await demand(client, amr);
    const tools = await gateway.send("/api/agents/tools", { headers: { authorization: `Bearer ${access}` } });
    const { data } = (await tools.json()) as { data: { name: string }[] };
    const preview = await ask(previewRoute, "POST", "/api/admin/preview", { body: { claims: decodeJwt(access) } });
    const names = (preview.json["tools"] as { toolId: string }[]).map(({ toolId }) => toolId);
    expect([data.some(({ name }) => name === "calculate"), names.includes("builtin:calculate")]).toEqual([
      grants,
      grants,
    ]);
    expect((await test(access)).json).toMatchObject({ accepted: true, claims: { client_id: CLIENT, amr: ["pwd"] } });
    await save(supportDocument());
  });
});

describe("the impact of a change", () => {
  it("gives a connected client the tools of its agent before and after, as the client gets them", async () => {
    const { access } = await connectAs(gateway, "reader");
    const headers = { authorization: `Bearer ${access}`, "content-type": "application/json" };
    const call = { tool_id: "support:get_order", arguments: { order_id: "O-5001" } };
    const made = await gateway.send("/api/agents/tools/call", { method: "POST", headers, body: JSON.stringify(call) });
    expect(made.status).toBe(200);
    const { data } = (await (await gateway.send("/api/agents/tools", { headers })).json()) as { data: unknown[] };
    const change = { resource: "policies", id: "support-staff" };
    const { json } = await ask(impactRoute, "POST", "/api/admin/impact", { body: change });
    const callers = json["callers"] as { issuer: string | null }[];
    expect(callers.find(({ issuer }) => issuer === ORIGIN)).toMatchObject({
      kind: "agent",
      name: "reader",
      before: data.length,
      after: 0,
      problem: null,
    });
  });
});

describe("a call of a connected client that waits for approval", () => {
  it("is answered by another person than the one who connected the client", async () => {
    await save(documentWithTool("builtin:calculate", { requiresApproval: true }));
    const { access } = await connectAs(gateway, "reader", { role: "admin" });
    const waiting = await new Client(access).call({ tool_id: "builtin:calculate", arguments: { expression: "6 * 7" } });
    const id = waiting.json.call_id;
    const approve = async (role: Role) =>
      (await ask(approveRoute, "POST", `/api/admin/approvals/${id}/approve`, { role, params: { id }, body: {} }))
        .status;
    expect(waiting.json.status).toBe("awaiting_approval");
    expect([await approve("admin"), await approve("editor")]).toEqual([403, 200]);
    await save(supportDocument());
  });
});

describe("the preview as a connection", () => {
  it("shows the tools that its token lists", async () => {
    const { access } = await connectAs(gateway, "reader");
    const listed = await ask(listRoute, "GET", "/api/admin/connections?of=me");
    const { claims } = listed.json.items[0] as { claims: Record<string, unknown> };
    const { iat: _iat, exp: _exp, jti: _jti, amr: _amr, ...own } = decodeJwt(access);
    expect(claims).toEqual(own);
    const preview = await ask(previewRoute, "POST", "/api/admin/preview", { body: { claims } });
    const tools = await gateway.send("/api/agents/tools", { headers: { authorization: `Bearer ${access}` } });
    const { data } = (await tools.json()) as { data: { id?: string; tool_id?: string }[] };
    const visible = (preview.json["tools"] as { toolId: string }[]).map(({ toolId }) => toolId);
    expect(visible.toSorted()).toEqual(data.map((entry) => entry.id ?? entry.tool_id ?? "").toSorted());
    expect(visible.length).toBeGreaterThan(0);
  });

  it("refuses the claims of a connection that does not exist", async () => {
    const { access } = await connectAs(gateway, "reader");
    const claims = { ...decodeJwt(access), grant: "00000000-0000-4000-8000-000000000000" };
    const { status, json } = await ask(previewRoute, "POST", "/api/admin/preview", { body: { claims } });
    expect([status, json.errors]).toMatchObject([400, [{ path: "claims" }]]);
  });
});

it("an accepted call is authenticated again with the agent's present attributes, also without the token itself", async () => {
  const { access } = await connectAs(gateway, "reader");
  const caller = await byToken(access, await newestSnapshot(), { keys: processKeys(), now: Date.now });
  expect(caller.claims).toMatchObject({ team: "support", qm: { agent: { team: "support" } } });
  const { agents, ...document } = supportDocument() as { agents: { name: string }[] };
  const changed = agents.map((one) => (one.name === "reader" ? { ...one, attributes: { shift: "night" } } : one));
  await save({ ...document, agents: changed });
  const snapshot = await newestSnapshot();
  // The stored caller of a callback has neither the token nor its computed claims.
  for (const earlier of [caller, { ...caller, claims: {}, bearer: "" }]) {
    const { claims } = reauthenticate(earlier, snapshot, Date.now());
    expect(claims).toMatchObject({ shift: "night", qm: { agent: { shift: "night" } } });
    expect(claims).not.toHaveProperty("team");
    expect(isOutdated({ ...caller, claims }, snapshot)).toBe(true);
  }
  expect(isOutdated(reauthenticate(caller, snapshot, Date.now()), snapshot)).toBe(false);
  await save(supportDocument());
});
