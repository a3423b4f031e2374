import { decodeJwt } from "jose";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { GET as trailRoute } from "@/app/api/admin/audit/route";
import { OAUTH_PATHS } from "@/lib/agents/oauth/paths";
import { save, supportDocument } from "@/test/api/agents-world";
import { CLIENT, connectAs, documents, listStatus, useGateway, refreshing, token } from "@/test/api/oauth/world";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";
import { ORIGIN } from "@/test/support/person";

const database = useDatabase();

const OTHER_CLIENT = "https://other.example.com/client.json";

beforeAll(async () => {
  documents.set(OTHER_CLIENT, { client_id: OTHER_CLIENT, redirect_uris: ["http://127.0.0.1/callback"] });
  await save(supportDocument());
});
const gateway = useGateway();

/** Sends a token to the revocation endpoint, as a client. */
async function revoke(value: string, client = CLIENT): Promise<{ status: number; text: string }> {
  const body = new URLSearchParams({ token: value, client_id: client });
  const answered = await gateway.send(OAUTH_PATHS.revocation, { method: "POST", body });
  return { status: answered.status, text: await answered.text() };
}

/** The audit trail's entries with an action. */
async function trail(action: string): Promise<readonly Record<string, unknown>[]> {
  return (await ask(trailRoute, "GET", `/api/admin/audit?action=${action}`)).json.items;
}

const WHO = { actor: { kind: "client", name: "Test client (client.example.com)", role: "" } };

describe("a client that revokes", () => {
  it("its refresh token ends the connection, which the audit trail shows with names", async () => {
    const { access, refresh } = await connectAs(gateway, "reader");
    expect((await revoke(refresh)).status).toBe(200);
    expect(await listStatus(gateway, access)).toBe(401);
    expect((await token(gateway, refreshing(refresh))).json).toMatchObject({ error: "invalid_grant" });
    expect(await trail("connections.revoked")).toMatchObject([
      { ...WHO, target: "admin@example.com", detail: "acted as reader", kind: "event" },
    ]);
  });

  it("a refresh token that it has just used ends the connection too", async () => {
    const { refresh } = await connectAs(gateway, "reader");
    const { json } = await token(gateway, refreshing(refresh));
    expect(await revoke(refresh)).toEqual({ status: 200, text: "" });
    expect(await listStatus(gateway, String(json["access_token"]))).toBe(401);
  });

  it("its access token ends that token alone, by issuer and id", async () => {
    const { access, refresh } = await connectAs(gateway, "reader");
    const { jti } = decodeJwt(access);
    expect(await revoke(access)).toEqual({ status: 200, text: "" });
    expect(await revoke(access)).toEqual({ status: 200, text: "" });
    expect(await listStatus(gateway, access)).toBe(401);
    expect(await database.query(`select issuer, jti, reason from revoked_token`)).toEqual([
      { issuer: ORIGIN, jti, reason: "revoked by its client" },
    ]);
    expect(await trail("connections.token_revoked")).toMatchObject([
      { ...WHO, target: "admin@example.com", detail: `token ${jti}` },
    ]);
    const { json } = await token(gateway, refreshing(refresh));
    expect(await listStatus(gateway, String(json["access_token"]))).toBe(200);
  });

  it("its access token within the clock skew after its end, while it still works", async () => {
    const { access } = await connectAs(gateway, "reader");
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 610_000 });
    onTestFinished(() => void vi.useRealTimers());
    expect(await listStatus(gateway, access)).toBe(200);
    expect((await revoke(access)).status).toBe(200);
    expect(await listStatus(gateway, access)).toBe(401);
  });

  it("gets the answer of OAuth when the store fails, and nothing is printed", async () => {
    const { access } = await connectAs(gateway, "reader");
    const printed = vi.spyOn(console, "error");
    await database.query(`alter table revoked_token rename to revoked_token_away`);
    onTestFinished(async () => {
      printed.mockRestore();
      await database.query(`alter table revoked_token_away rename to revoked_token`);
    });
    const { status, text } = await revoke(access);
    expect([status, JSON.parse(text)]).toMatchObject([500, { error: "server_error" }]);
    expect(printed).not.toHaveBeenCalled();
  });

  it("another client's token is refused, and the token still works", async () => {
    const { access, refresh } = await connectAs(gateway, "reader");
    const refused = await revoke(access, OTHER_CLIENT);
    expect([refused.status, JSON.parse(refused.text)]).toMatchObject([400, { error: "invalid_request" }]);
    await revoke(refresh, OTHER_CLIENT);
    expect(await listStatus(gateway, access)).toBe(200);
    expect((await token(gateway, refreshing(refresh))).status).toBe(200);
  });

  it("a token that is not ours is no error and revokes nothing", async () => {
    const { access } = await connectAs(gateway, "reader");
    const before = await database.query(`select jti from revoked_token`);
    const [head = "", body = ""] = access.split(".");
    for (const forged of [`${head}.${body}.${"A".repeat(86)}`, "nothing", `${head}.e30.x`])
      expect((await revoke(forged)).status).toBe(200);
    expect(await database.query(`select jti from revoked_token`)).toEqual(before);
    expect(await listStatus(gateway, access)).toBe(200);
  });
});

it("a refresh token that is used twice ends the connection once, and the audit trail names client and person", async () => {
  const { refresh } = await connectAs(gateway, "reader");
  const second = await token(gateway, refreshing(refresh));
  await database.query(`update oauth_row set "consumedAt" = "consumedAt" - interval '6 seconds'`);
  const forged = { "x-forwarded-for": "203.0.113.9" };
  const use = () =>
    gateway.send(OAUTH_PATHS.token, {
      method: "POST",
      body: new URLSearchParams(refreshing(refresh)),
      headers: forged,
    });
  const answers = await Promise.all(Array.from({ length: 5 }, use));
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
  expect(await listStatus(gateway, String(second.json["access_token"]))).toBe(401);
  expect(await trail("connections.reused")).toMatchObject([
    { ...WHO, target: "admin@example.com", detail: "acted as reader", address: "127.0.0.1" },
  ]);
});
