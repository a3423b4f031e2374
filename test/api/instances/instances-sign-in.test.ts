import { decodeJwt } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { agents } from "@/lib/store/config/agents";
import { clients } from "@/lib/store/config/clients";
import { users } from "@/lib/store/config/users";
import { revokeToken } from "@/lib/store/keys/revocations";
import { endConnection } from "@/lib/store/oauth/connections";
import { ADMIN, save, supportDocument } from "@/test/api/agents-world";
import { initialize, post, statelessMessage } from "@/test/api/mcp-world";
import {
  answerAs,
  authorizationQuery,
  begin,
  cookieHeader,
  listStatus,
  pkce,
  redemption,
  refreshing,
  token,
  type Gateway,
} from "@/test/api/oauth/world";
import { useDatabase } from "@/test/support/database";
import { ORIGIN } from "@/test/support/person";
import { startInstances, type Instances } from "@/test/support/processes/instances";

// Three real gateways on one database: a sign-in may begin at one and end at another, a credential works once in all of them,
// and what ends a connection ends its calls and its open streams everywhere.

vi.setConfig({ testTimeout: 90_000 });
const database = useDatabase();
let instances: Instances;
let gateways: readonly [Gateway, Gateway, Gateway];

const CALL = { tool_id: "builtin:calculate", arguments: { expression: "6 * 7" } };
const PLUGIN = { name: "plugin", description: "", enabled: true, redirectUris: ["http://127.0.0.1/callback"] };

beforeAll(async () => {
  await save(supportDocument());
  instances = await startInstances(database.url);
  const [a, b, c] = instances.all.map(({ origin }) => gatewayAt(origin));
  gateways = [a, b, c] as typeof gateways;
});
afterAll(() => instances.stop());
beforeEach(async () => {
  // Before the saves: no notice follows this statement, and instances load people with the configuration.
  await database.query("update person set enabled = true");
  await save({ ...supportDocument(), settings: { clientSignIn: { enabled: true } } });
  await database.query("delete from client where name = 'plugin'");
  await clients.create(ADMIN, { ...PLUGIN, agent: null, jwks: null });
  await change(agents, "reader", { enabled: true, owners: ["the-editor"] });
});

function gatewayAt(origin: string): Gateway {
  const send: typeof fetch = (input, init) => {
    const address = String(input);
    const at = address.startsWith("/") ? `${origin}${address}` : address.replace(ORIGIN, origin);
    return fetch(at, { redirect: "manual", ...init });
  };
  return { server: undefined as never, send };
}

/** Changes a row of the configuration. */
async function change(
  store: { get: typeof agents.get; replace: typeof agents.replace },
  name: string,
  changes: object,
): Promise<void> {
  const { revision, createdAt: _created, updatedAt: _updated, ...row } = await store.get(name);
  await store.replace(ADMIN, name, { ...row, ...changes }, revision);
}

/** A code that the editor got: begun at the first instance, returned to the second. */
async function freshCode(): Promise<{ code: string; verifier: string }> {
  const { challenge, verifier } = pkce();
  const { uid, cookies } = await begin(gateways[0], authorizationQuery(challenge, { client_id: "plugin" }));
  const answered = await answerAs(uid, { agent: "reader", role: "editor", cookies });
  const { location } = (await answered.json()) as { location: string };
  const back = await gateways[1].send(location, { headers: { cookie: cookieHeader(cookies) } });
  const code = new URL(back.headers.get("location") ?? "about:blank").searchParams.get("code");
  return { code: code ?? "", verifier };
}

const redeeming = ({ code, verifier }: { code: string; verifier: string }) => ({
  ...redemption(code, verifier),
  client_id: "plugin",
});
const using = (refresh: string) => ({ ...refreshing(refresh), client_id: "plugin" });

async function connect(): Promise<{ access: string; refresh: string }> {
  const { json } = await token(gateways[2], redeeming(await freshCode()));
  return { access: String(json["access_token"]), refresh: String(json["refresh_token"]) };
}

const everywhere = <T>(ask: (gateway: Gateway) => Promise<T>) => Promise.all(gateways.map(ask));
const call = async ({ send }: Gateway, access: string) => {
  const headers = { authorization: `Bearer ${access}`, "content-type": "application/json" };
  const answered = await send("/api/agents/tools/call", { method: "POST", headers, body: JSON.stringify(CALL) });
  await answered.text();
  return answered.status;
};

describe("three instances", () => {
  it("serve one sign-in together", async () => {
    const { access, refresh } = await connect();
    expect(await everywhere((gateway) => listStatus(gateway, access))).toEqual([200, 200, 200]);
    expect((await token(gateways[0], using(refresh))).status).toBe(200);
  });

  it("yield one token for a code, and one for a refresh token, that all of them get at once", async () => {
    const atOnce = async (form: Record<string, string>) => {
      const sent = Array.from({ length: 30 }, (_, at) => token(gateways[at % 3] as Gateway, form));
      return (await Promise.all(sent)).map(({ status, json }) => (status === 200 ? json : json["error"]));
    };
    const redeemed = await atOnce(redeeming(await freshCode()));
    expect(redeemed.filter((answer) => answer === "invalid_grant")).toHaveLength(29);
    const [first] = redeemed.filter((answer) => typeof answer === "object") as Record<string, string>[];
    const refreshed = await atOnce(using(first?.["refresh_token"] ?? ""));
    expect(refreshed.filter((answer) => answer === "invalid_grant")).toHaveLength(29);
  });
});

/** What an end has to work with. */
interface Connected {
  readonly access: string;
  readonly refresh: string;
  readonly grant: string;
}

describe("calls and open streams end on every instance with", () => {
  it.each<[string, (connected: Connected) => Promise<unknown>]>([
    ["the connection", ({ grant }) => endConnection(ADMIN, grant, null)],
    ["a revocation by the client", ({ refresh }) => revoke(refresh)],
    ["a revocation of this access token by the client", ({ access }) => revoke(access)],
    [
      "a revocation of this access token by an admin",
      ({ access }) =>
        revokeToken(ADMIN, { iss: ORIGIN }, { jti: String(decodeJwt(access).jti), until: null, reason: "" }),
    ],
    [
      "a second use of a refresh token",
      async ({ refresh }) => {
        await token(gateways[0], using(refresh));
        await database.query(`update oauth_row set "consumedAt" = "consumedAt" - interval '6 seconds'`);
        await token(gateways[1], using(refresh));
      },
    ],
    ["the client, disabled", () => change(clients as never, "plugin", { enabled: false })],
    ["the client, deleted", async () => clients.remove(ADMIN, "plugin")],
    ["the person, disabled", () => setPerson({ enabled: false })],
    ["the agent, disabled", () => change(agents, "reader", { enabled: false })],
    ["the agent's owner", () => change(agents, "reader", { owners: [] })],
    [
      "the switch of the whole sign-in",
      () => save({ ...supportDocument(), settings: { clientSignIn: { enabled: false } } }),
    ],
  ])("%s", async (_what, end) => {
    const { access, refresh } = await connect();
    const connected = { access, refresh, grant: String(decodeJwt(access)["grant"]) };
    expect(await everywhere((gateway) => call(gateway, access))).toEqual([200, 200, 200]);
    const streams = (await Promise.all(instances.all.map(({ origin }) => streamsOf(origin, access)))).flat();
    await end(connected);
    // Decisions are immediate: no instance waits for the notice.
    expect(await everywhere((gateway) => call(gateway, access))).toEqual([401, 401, 401]);
    // Each of them ends: a stream that stays open is never read to its end.
    const texts = await Promise.all(streams.map(({ rest }) => rest()));
    expect(texts.filter((text) => text.includes("event: closed"))).toHaveLength(3);
    expect(await everywhere((gateway) => listStatus(gateway, access))).toEqual([401, 401, 401]);
  });
});

/** Ends a token or a connection at the revocation endpoint, as the client. */
async function revoke(value: string): Promise<void> {
  const body = new URLSearchParams({ token: value, client_id: "plugin" });
  const answered = await gateways[0].send("/oauth/revoke", { method: "POST", body });
  expect(answered.status).toBe(200);
}

async function setPerson(changes: { enabled: boolean }): Promise<void> {
  const { revision, name, email, displayName, role } = await users.get("the-editor");
  await users.replace(ADMIN, "the-editor", { name, email, displayName, role, ...changes }, revision);
}

/** The three kinds of streams, open and begun. `rest` reads one to its end. */
async function streamsOf(origin: string, access: string): Promise<readonly { rest(): Promise<string> }[]> {
  const headers = { authorization: `Bearer ${access}` };
  const session = await initialize({ origin }, access);
  const listen = { "mcp-protocol-version": "2026-07-28", "mcp-method": "subscriptions/listen" };
  const opened = await Promise.all([
    fetch(`${origin}/api/agents/stream`, { headers }),
    post(
      { origin },
      access,
      statelessMessage("subscriptions/listen", { notifications: { toolsListChanged: true } }),
      listen,
    ),
    fetch(`${origin}/mcp`, {
      headers: {
        ...headers,
        accept: "text/event-stream",
        "mcp-protocol-version": "2025-11-25",
        "mcp-session-id": session,
      },
    }),
  ]);
  return Promise.all(opened.map(begun));
}

async function begun(response: Response): Promise<{ rest(): Promise<string> }> {
  expect(response.status).toBe(200);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = (await reader.read()).value ?? "";
  const rest = async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value;
    return text;
  };
  return { rest };
}
