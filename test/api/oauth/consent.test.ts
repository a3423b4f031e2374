import { NextRequest } from "next/server";
import { beforeAll, describe, expect, it } from "vitest";
import { POST as answerRoute } from "@/app/api/admin/connection-requests/[id]/route";
import { answerRequest, viewConnectionRequest } from "@/lib/admin/connection-requests";
import { endSessions, findUserByEmail, type StoredUser } from "@/lib/store/config/users";
import { proxy } from "@/proxy";
import { save, supportDocument } from "@/test/api/agents-world";
import {
  answerAs,
  authorizationQuery,
  authorize,
  begin,
  CALLBACK,
  CLIENT,
  connectAs,
  cookieHeader,
  documents,
  listStatus,
  useGateway,
  pkce,
  redemption,
  refreshing,
  takeCookies,
  token,
  type Cookies,
} from "@/test/api/oauth/world";
import { useDatabase } from "@/test/support/database";
import { ORIGIN, signIn } from "@/test/support/person";

const database = useDatabase();
let admin: StoredUser;

/** The support team, whose tool `calculate` requires the scope `math`. */
function scopedDocument(): Record<string, unknown> {
  const document = supportDocument() as { tools: { name: string }[] };
  const tools = document.tools.map((tool) =>
    tool.name === "calculate" ? { ...tool, requiredScopes: ["math"] } : tool,
  );
  return { ...document, tools };
}

beforeAll(async () => {
  await save(scopedDocument());
  await signIn("admin");
  const found = await findUserByEmail("admin@example.com");
  if (found === null) throw new Error("The administrator was not stored.");
  admin = found;
});
const gateway = useGateway();

const viewed = async (changes: Record<string, string | null> = {}) =>
  viewConnectionRequest((await begin(gateway, authorizationQuery(pkce().challenge, changes))).uid, admin.id);

describe("a person who is asked", () => {
  it("sees the client's name, the host of its document, its scopes and where the answer goes", async () => {
    expect(await viewed({ scope: "tools math" })).toMatchObject({
      client: CLIENT,
      clientName: "Test client",
      clientHost: "client.example.com",
      isSelfRegistered: false,
      scopes: ["tools", "math"],
      redirectUri: "http://127.0.0.1:43117/callback",
      remembered: null,
    });
  });

  it("sees the base scope also when the request leaves it out, because every token has it", async () => {
    expect(await viewed({ scope: "math" })).toMatchObject({ scopes: ["tools", "math"] });
  });

  it("reads a name in one line, without hidden characters", async () => {
    const id = "https://client.example.com/deceiver.json";
    const name = ` Desk\u202Egnp.exe\n\n\tPublished by\u200B: \u{E0041}anthropic.com ${"n".repeat(300)}`;
    documents.set(id, { client_id: id, client_name: name, redirect_uris: [CALLBACK] });
    const { clientName = "" } = (await viewed({ client_id: id })) ?? {};
    expect(clientName).toBe(`Deskgnp.exe Published by: anthropic.com ${"n".repeat(160)}`);
  });

  it("finds the earlier answer again for the same client and scopes", async () => {
    await connectAs(gateway, "reader");
    expect(await viewed()).toMatchObject({ remembered: "reader", connectedAs: "reader", newScopes: [] });
    expect(await viewed({ scope: "tools math" })).toMatchObject({
      remembered: null,
      connectedAs: "reader",
      newScopes: ["math"],
    });
    await connectAs(gateway, "reader", { scope: "math tools" });
    expect(await viewed({ scope: "tools math" })).toMatchObject({ remembered: "reader" });
    expect(await viewed()).toMatchObject({ remembered: null, connectedAs: "reader", newScopes: [] });
  });

  it("can answer again when the answer could not be saved", async () => {
    const { uid } = await begin(gateway, authorizationQuery(pkce().challenge));
    // The database fails between the two writes of an answer.
    await database.query(`create function refuse() returns trigger language plpgsql as $$ begin raise 'no room'; end $$;
      create trigger refuse before update on oauth_row for each row execute function refuse()`);
    const [lost] = await Promise.allSettled([answerRequest(uid, admin.id, "reader")]);
    await database.query("drop function refuse() cascade");
    expect(String(lost.status === "rejected" && lost.reason)).toContain("no room");
    expect(await viewConnectionRequest(uid, admin.id)).toMatchObject({ client: CLIENT });
    const answers = await Promise.allSettled([1, 2].map(() => answerRequest(uid, admin.id, "reader")));
    expect(answers.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });

  it("cannot answer with a token of the admin API, which stands for no person", async () => {
    const { uid } = await begin(gateway, authorizationQuery(pkce().challenge));
    await expect(answerRequest(uid, null, "reader")).rejects.toMatchObject({ code: "forbidden" });
  });
});

describe("a connection", () => {
  it("does not end with the person's browser session", async () => {
    const { access, refresh } = await connectAs(gateway, "reader");
    const { sessionEpoch } = (await findUserByEmail(admin.email)) ?? admin;
    await endSessions(admin.id, sessionEpoch);
    expect(await listStatus(gateway, access)).toBe(200);
    const { status, json } = await token(gateway, refreshing(refresh));
    expect(status).toBe(200);
    expect(await listStatus(gateway, String(json["access_token"]))).toBe(200);
  });

  it("loses a scope at once when the person consents to fewer, also in tokens that are out", async () => {
    const calculate = async (access: string, path: "/api/agents/tools/call" | "/mcp") => {
      const call = { name: "calculate", arguments: { expression: "6 * 7" } };
      const answered = await gateway.send(path, {
        method: "POST",
        headers: {
          authorization: `Bearer ${access}`,
          "content-type": "application/json",
          ...(path === "/mcp" && {
            accept: "application/json, text/event-stream",
            "mcp-protocol-version": "2026-07-28",
            "mcp-method": "tools/call",
            "mcp-name": "calculate",
          }),
        },
        body: JSON.stringify(path === "/mcp" ? rpc(call) : call),
      });
      await answered.text();
      return [answered.status, answered.headers.get("www-authenticate")] as const;
    };
    const wide = await connectAs(gateway, "reader", { scope: "tools math" });
    for (const path of ["/api/agents/tools/call", "/mcp"] as const)
      expect(await calculate(wide.access, path)).toEqual([200, null]);
    await connectAs(gateway, "reader", { scope: "tools" });
    for (const path of ["/api/agents/tools/call", "/mcp"] as const) {
      const [status, challenge] = await calculate(wide.access, path);
      expect([path, status]).toEqual([path, 403]);
      expect(challenge).toContain('error="insufficient_scope", scope="tools math"');
    }
    // A refresh gives no more than the consent either.
    expect((await token(gateway, refreshing(wide.refresh))).json).toMatchObject({ scope: "tools" });
  });
});

/** A `tools/call` of MCP 2026-07-28. */
function rpc(params: object): object {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return { jsonrpc: "2.0", id: 1, method: "tools/call", params: { ...params, _meta: meta } };
}

it("there is no userinfo, no ID token, and no other way to a person's data", async () => {
  const metadata = (await (await gateway.send("/.well-known/openid-configuration")).json()) as Record<string, unknown>;
  expect(Object.keys(metadata).filter((name) => /userinfo|end_session|device|introspection|pushed/.test(name))).toEqual(
    [],
  );
  expect(metadata).toMatchObject({ response_types_supported: ["code"], response_modes_supported: ["query"] });
  const { challenge, verifier } = pkce();
  const query = authorizationQuery(challenge, { scope: "openid profile email tools" });
  const sent = await authorize(gateway, query, { agent: "reader" });
  expect([...sent.searchParams.keys()].toSorted()).toEqual(["code", "iss", "state"]);
  const { json } = await token(gateway, redemption(sent.searchParams.get("code") ?? "", verifier));
  expect(Object.keys(json).toSorted()).toEqual(["access_token", "expires_in", "refresh_token", "scope", "token_type"]);
  for (const path of ["userinfo", "me", "introspect", "session/end", "device", "par"])
    for (const method of ["GET", "POST"])
      expect((await gateway.send(`/oauth/${path}`, { method, headers: { authorization: "Bearer x" } })).status).toBe(
        404,
      );
});

// Other sites can neither frame the pages of a sign-in nor send a person's answer (RFC 9700, 4.7 and 4.16).
it.each(["/connect/some-id", "/sign-in", "/admin/connections", "/admin/linked-accounts/mail"])(
  "%s stands in no frame",
  async (path) => {
    const { headers } = await proxy(new NextRequest(`${ORIGIN}${path}`));
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  },
);

it.each(["https://evil.example.com", "null", null])("an answer from the origin %s does not count", async (origin) => {
  const { uid, cookies } = await begin(gateway, authorizationQuery(pkce().challenge));
  const person = await signIn("admin");
  const headers = { cookie: `${person.cookie}; ${cookieHeader(cookies)}`, "content-type": "application/json" };
  const request = new Request(`${ORIGIN}/api/admin/connection-requests/${uid}`, {
    method: "POST",
    headers: { ...headers, ...(origin !== null && { origin }) },
    body: JSON.stringify({ agent: "reader" }),
  });
  expect((await answerRoute(request, { params: Promise.resolve({ id: uid }) })).status).toBe(403);
  // The person's own answer still counts.
  expect((await answerAs(uid, { agent: "reader", cookies })).status).toBe(200);
});

describe("two requests that one browser has open", () => {
  /** Returns to the gateway with the browser's cookies, and takes those of the answer. */
  const comeBack = async (location: string, cookies: Cookies) => {
    const back = await gateway.send(location, { headers: { cookie: cookieHeader(cookies) } });
    takeCookies(back, cookies);
    return new URL(back.headers.get("location") ?? "about:blank").searchParams;
  };
  const requestCookies = (cookies: Cookies) => [...cookies.keys()].filter((name) => name.startsWith("qm_connect"));

  it("are answered one by one, and each leaves no cookie behind", async () => {
    // The cookie with which a browser returns has the path of its request, so each has its own here.
    const open = await Promise.all([0, 1].map(() => begin(gateway, authorizationQuery(pkce().challenge))));
    const browser: Cookies = new Map(open.flatMap(({ cookies }) => [...cookies]));
    for (const [at, { uid, cookies }] of open.entries()) {
      for (const name of requestCookies(browser)) cookies.set(name, browser.get(name) ?? "");
      const agent = at === 0 ? "reader" : null;
      const answered = await answerAs(uid, { agent, cookies: browser });
      expect(answered.status).toBe(200);
      const { location } = (await answered.json()) as { location: string };
      const returned = await comeBack(location, cookies);
      expect([returned.has("code"), returned.get("error")]).toEqual(
        agent === null ? [false, "access_denied"] : [true, null],
      );
      browser.delete(`qm_connect_${uid}`);
      expect(requestCookies(cookies)).toEqual(requestCookies(browser));
    }
  });

  it("are at most ten: a further one replaces the oldest", async () => {
    const browser: Cookies = new Map();
    const uids: string[] = [];
    for (let at = 0; at < 12; at += 1)
      uids.push((await begin(gateway, authorizationQuery(pkce().challenge), browser)).uid);
    expect(requestCookies(browser)).toEqual(uids.slice(2).map((uid) => `qm_connect_${uid}`));
    expect((await answerAs(uids[1] ?? "", { agent: "reader", cookies: browser })).status).toBe(403);
    expect((await answerAs(uids[2] ?? "", { agent: "reader", cookies: browser })).status).toBe(200);
  });
});
