import { createHmac } from "node:crypto";
import { decodeJwt } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { GET, PUT } from "@/app/api/admin/[resource]/[id]/route";
import { POST } from "@/app/api/admin/[resource]/route";
import { PUT as putPassword } from "@/app/api/admin/me/password/route";
import { GET as readMe } from "@/app/api/admin/me/route";
import { runCommand } from "@/bin/quartermaster.ts";
import { flushRefusals } from "@/lib/store/audit/refusals";
import { findOpenIdUser, findUserByEmail } from "@/lib/store/config/users";
import { ask } from "@/test/support/admin";
import { allowOutbound } from "@/test/support/allow-outbound";
import { useDatabase } from "@/test/support/database";
import { makeKey } from "@/test/support/servers/issuer";
import { openBrowser, REDIRECT_URI, type Returned } from "@/test/support/servers/openid-browser";
import { CLIENT, startOpenIdProvider, type OpenIdTestProvider } from "@/test/support/servers/openid-provider";
import { addPerson, ORIGIN } from "@/test/support/person";

const database = useDatabase();
let provider: OpenIdTestProvider;

beforeAll(async () => {
  provider = await startOpenIdProvider({ redirectUri: REDIRECT_URI, claimsInIdToken: true });
  // Before anything reads the environment.
  Object.assign(process.env, {
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    OIDC_ADMIN_GROUPS: "qm-admins",
    OIDC_EDITOR_GROUPS: '["CN=editors,DC=acme"]',
    OIDC_AUDITOR_GROUPS: "qm-auditors, audit-team",
  });
  allowOutbound(provider.host);
});
afterAll(() => provider.close());

const ADA = { email: "Ada@Example.com", name: "Ada Lovelace", preferred_username: "ada", groups: ["qm-auditors"] };
beforeEach(async () => {
  await database.query("delete from person");
  await database.query("delete from change");
  provider.tamper(null);
  provider.accounts.clear();
  provider.accounts.set("sub-ada", ADA);
  await addPerson({ email: "root@example.com", name: "root", role: "admin" });
});

const signIn = (account = "sub-ada") => openBrowser().signIn(account);
const inGroups = (...groups: unknown[]) => provider.accounts.set("sub-ada", { ...ADA, groups });
const people = () => database.query<{ name: string }>("select name from person order by name");
const me = async ({ session }: Returned) => {
  const answer = await readMe(new Request(`${ORIGIN}/api/admin/me`, { headers: { cookie: session ?? "" } }));
  return answer.status === 200 ? ((await answer.json()) as { role: string; name: string }) : null;
};

describe("a person whom the provider authenticates", () => {
  test("comes in at the page they wanted, as a new user with the role of their group, in the history", async () => {
    const returned = await signIn();
    expect(returned).toMatchObject({ path: "/admin/policies", error: null });
    expect(await me(returned)).toMatchObject({ role: "auditor", name: "ada" });
    const user = await findOpenIdUser(provider.issuer, "sub-ada");
    expect(user).toMatchObject({ email: "ada@example.com", displayName: "Ada Lovelace", passwordHash: null });
    const [change] = await database.query("select kind, actor, action, after from change order by id desc limit 1");
    expect(change).toMatchObject({ kind: "system", actor: "OpenID sign-in", action: "create" });
    expect(change?.["after"]).toMatchObject({ role: "auditor", issuer: provider.issuer, subject: "sub-ada" });
  });
  test("is the same user the next time, and an unchanged sign-in writes nothing", async () => {
    await signIn();
    const first = await findOpenIdUser(provider.issuer, "sub-ada");
    await signIn();
    expect((await findOpenIdUser(provider.issuer, "sub-ada"))?.id).toBe(first?.id);
    expect(await database.query("select 1 from change")).toHaveLength(1);
  });
  test("has the highest role that any of their groups gives, compared exactly", async () => {
    for (const [groups, role] of [
      [["audit-team", "qm-admins"], "admin"],
      [["CN=editors,DC=acme", "qm-auditors"], "editor"],
      ["audit-team", "auditor"],
    ] as const) {
      provider.accounts.set("sub-ada", { ...ADA, groups });
      expect(await me(await signIn())).toMatchObject({ role });
    }
    inGroups("QM-ADMINS", "qm-admins ", "CN=editors", ["qm-admins"], { a: "qm-admins" });
    expect((await signIn()).error).toBe("OpenIdNoGroup");
  });
  test("gets the role of their present groups: sessions of the earlier role end, and the history names the actor", async () => {
    inGroups("qm-admins");
    const earlier = await signIn();
    expect(await me(earlier)).toMatchObject({ role: "admin" });
    inGroups("qm-auditors");
    expect(await me(await signIn())).toMatchObject({ role: "auditor" });
    expect(await me(earlier)).toBeNull();
    const [change] = await database.query("select actor, before, after from change order by id desc limit 1");
    expect(change).toMatchObject({ actor: "OpenID sign-in", before: { role: "admin" }, after: { role: "auditor" } });
  });
  test("is one user after several concurrent first sign-ins", async () => {
    const all = await Promise.all(Array.from({ length: 4 }, () => signIn()));
    expect(all.map(({ error }) => error)).toEqual([null, null, null, null]);
    expect(await people()).toEqual([{ name: "ada" }, { name: "root" }]);
  });
});

describe("an e-mail address links no accounts", () => {
  test("of a password account: the person with the same one at the provider is another user, also in the history", async () => {
    const withPassword = await addPerson({ email: "ada@example.com", name: "ada", role: "admin" });
    const returned = await signIn();
    const stranger = await findOpenIdUser(provider.issuer, "sub-ada");
    expect(stranger).toMatchObject({ name: "ada-2", role: "auditor", email: "ada@example.com" });
    expect(stranger?.id).not.toBe(withPassword.id);
    expect(await me(returned)).toMatchObject({ name: "ada-2", role: "auditor" });
    expect(await findUserByEmail("ada@example.com")).toMatchObject({ id: withPassword.id, role: "admin" });
  });
  test("of another subject: two subjects are two users", async () => {
    provider.accounts.set("sub-eve", { ...ADA, groups: ["qm-admins"] });
    await signIn();
    await signIn("sub-eve");
    expect(await people()).toEqual([{ name: "ada" }, { name: "ada-2" }, { name: "root" }]);
    expect(await findOpenIdUser(provider.issuer, "sub-ada")).toMatchObject({ role: "auditor" });
  });
  test("so a password account may be made with it, and still only one", async () => {
    await signIn();
    await addPerson({ email: "ada@example.com", name: "by-hand", role: "editor" });
    await expect(addPerson({ email: "ada@example.com", name: "twice", role: "editor" })).rejects.toThrow(
      "Another row already has this value.",
    );
  });
  test("and one that changed at the provider keeps the user", async () => {
    await signIn();
    provider.accounts.set("sub-ada", { ...ADA, email: "countess@example.com" });
    await signIn();
    expect(await findOpenIdUser(provider.issuer, "sub-ada")).toMatchObject({
      name: "ada",
      email: "countess@example.com",
    });
  });
});

test("a sign-in with OpenID Connect is an audit event under the person's name, and a refused one is counted", async () => {
  await flushRefusals();
  const [last] = await database.query<{ id: number }>("select coalesce(max(id), 0)::int as id from audit_event");
  await signIn();
  inGroups("staff");
  await signIn();
  await flushRefusals();
  const rows = await database.query("select kind, actor, action, detail from audit_event where id > $1 order by id", [
    last?.id,
  ]);
  expect(rows).toEqual([
    { kind: "user", actor: "ada", action: "people.signed_in", detail: "OpenID Connect" },
    { kind: "address", actor: "unknown", action: "refused.sign_in", detail: "OpenID Connect: no_group" },
  ]);
});

describe("refuses a sign-in with a sentence, for", () => {
  const expectNone = (returned: Returned, error: string) => {
    expect(returned).toMatchObject({ session: null, path: "/sign-in", error });
  };
  test("a person in no mapped group: no user is created, and one who left all groups loses their sessions", async () => {
    for (const groups of [[], ["staff"], undefined, null, 7, { "qm-admins": true }]) {
      provider.accounts.set("sub-ada", { ...ADA, groups });
      expectNone(await signIn(), "OpenIdNoGroup");
    }
    expect(await people()).toEqual([{ name: "root" }]);
    inGroups("qm-auditors");
    const earlier = await signIn();
    inGroups("staff");
    expectNone(await signIn(), "OpenIdNoGroup");
    expect(await me(earlier)).toBeNull();
  });
  test("a person without an e-mail address at the provider; a user name that is one is enough", async () => {
    provider.accounts.set("sub-ada", { ...ADA, email: undefined });
    expectNone(await signIn(), "OpenIdNoEmail");
    expect(await people()).toEqual([{ name: "root" }]);
    provider.accounts.set("sub-ada", { ...ADA, email: undefined, preferred_username: "ada@corp.example" });
    expect((await signIn()).error).toBeNull();
  });
  test("a user who is disabled here, and nothing about them changes", async () => {
    await signIn();
    await database.query("update person set enabled = false where name = 'ada'");
    inGroups("qm-admins");
    expectNone(await signIn(), "OpenIdDisabled");
    expect(await findOpenIdUser(provider.issuer, "sub-ada")).toMatchObject({ role: "auditor", enabled: false });
  });
  test("the last enabled admin whose groups make them none: still the admin, but not here and not by an old session", async () => {
    inGroups("qm-admins");
    const earlier = await signIn();
    await database.query("update person set enabled = false where name = 'root'");
    inGroups("qm-auditors");
    expectNone(await signIn(), "OpenIdLastAdmin");
    expect(await findOpenIdUser(provider.issuer, "sub-ada")).toMatchObject({ role: "admin", enabled: true });
    expect(await me(earlier)).toBeNull();
    await database.query("update person set enabled = true where name = 'root'");
    expect(await me(await signIn())).toMatchObject({ role: "auditor" });
  });
  test("and a second try leads to the page that the person was going to", async () => {
    const onward = "/admin/policies";
    expect(await signIn("")).toMatchObject({ path: "/sign-in", error: "OpenIdDeclined", callbackUrl: onward });
    inGroups("strangers");
    expect(await signIn()).toMatchObject({ path: "/sign-in", error: "OpenIdNoGroup", callbackUrl: onward });
    const browser = openBrowser();
    await browser.start();
    const back = new URL(`${REDIRECT_URI}?code=x&state=forged`);
    expect(await browser.comeBack(back)).toMatchObject({ path: "/sign-in", callbackUrl: onward });
  });
  test("a person who cancels at the provider, or whom the provider refuses", async () => {
    expectNone(await signIn(""), "OpenIdDeclined");
    const back = new URL(`${REDIRECT_URI}?error=server_error`);
    expect((await openBrowser().comeBack(back)).error).toBe("OpenIdNotProven");
  });
});

describe("an ID token is refused", () => {
  const resigned = (change: Record<string, unknown>, header?: Record<string, unknown>) =>
    provider.tamper(async (tokens) => {
      const claims = { ...decodeJwt(String(tokens["id_token"])), ...change };
      const stated = Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));
      return { ...tokens, id_token: await provider.sign(stated, header) };
    });
  const unsigned = (header: object, sign: (input: string) => string) =>
    provider.tamper(async (tokens) => {
      const payload = String(tokens["id_token"]).split(".")[1];
      const input = `${Buffer.from(JSON.stringify(header)).toString("base64url")}.${payload}`;
      return { ...tokens, id_token: `${input}.${sign(input)}` };
    });
  const hmac = (secret: string) => (input: string) => createHmac("sha256", secret).update(input).digest("base64url");
  const now = () => Math.floor(Date.now() / 1000);

  test("never when it is what the provider says", async () => {
    resigned({});
    expect((await signIn()).error).toBeNull();
    resigned({ aud: [CLIENT.id, "another"], azp: CLIENT.id });
    expect((await signIn()).error).toBeNull();
  });
  test.each<[string, () => void]>([
    ["of another issuer", () => resigned({ iss: "https://evil.example" })],
    ["of our issuer with a slash", () => resigned({ iss: `${provider.issuer}/` })],
    ["for another client", () => resigned({ aud: "another" })],
    ["for several, given to another", () => resigned({ aud: [CLIENT.id, "another"], azp: "another" })],
    ["for several, given to nobody", () => resigned({ aud: [CLIENT.id, "another"] })],
    ["with another nonce", () => resigned({ nonce: "of another sign-in" })],
    ["without a nonce", () => resigned({ nonce: undefined })],
    ["that has expired", () => resigned({ exp: now() - 31 })],
    ["that never expires", () => resigned({ exp: undefined })],
    ["of nobody", () => resigned({ sub: undefined })],
    ["of a type that is none", () => resigned({}, { typ: "at+jwt" })],
    ["with a critical extension", () => resigned({}, { crit: ["b64"], b64: true })],
    ["with the algorithm none", () => unsigned({ alg: "none" }, () => "")],
    ["with the algorithm none and a signature", () => unsigned({ alg: "none" }, () => "AAAA")],
    ["signed with the client's secret", () => unsigned({ alg: "HS256" }, hmac(CLIENT.secret))],
    [
      "signed with the public key as a secret",
      () => unsigned({ alg: "HS256", kid: "key-1" }, hmac(JSON.stringify(provider.key.publicJwk))),
    ],
    [
      "with a broken signature",
      () => unsigned({ alg: "ES256", kid: "key-1" }, () => Buffer.alloc(64).toString("base64url")),
    ],
    ["that is absent", () => provider.tamper(async ({ id_token: _left, ...tokens }) => tokens)],
    [
      "signed with a key of its own, named as ours, that the header brings",
      () =>
        provider.tamper(async (tokens) => {
          const evil = await makeKey("ES256", "key-1");
          const claims = decodeJwt(String(tokens["id_token"]));
          return { ...tokens, id_token: await provider.sign(claims, { jwk: evil.publicJwk }, evil) };
        }),
    ],
  ])("%s", async (_what, tamper) => {
    tamper();
    expect(await signIn()).toMatchObject({ session: null, path: "/sign-in", error: "OpenIdNotProven" });
    expect(await people()).toEqual([{ name: "root" }]);
  });
});

describe("a callback without a matching sign-in is refused", () => {
  test("with a code that was used", async () => {
    const browser = openBrowser();
    const back = await browser.visit(await browser.start(), "sub-ada");
    const held = new Map(browser.cookies);
    expect((await browser.comeBack(back)).error).toBeNull();
    for (const [name, value] of held) browser.cookies.set(name, value);
    browser.cookies.delete("next-auth.session-token");
    expect(await browser.comeBack(back)).toMatchObject({ session: null, error: "OpenIdNotProven" });
  });
  test.each<[string, (back: URL) => void, string]>([
    ["without a state", (back) => back.searchParams.delete("state"), "OpenIdNotProven"],
    ["with another state", (back) => back.searchParams.set("state", "x"), "OpenIdNotProven"],
    ["without a code", (back) => back.searchParams.delete("code"), "OpenIdNotProven"],
    ["with a made-up code", (back) => back.searchParams.set("code", "x"), "OpenIdNotProven"],
    ["of another issuer (RFC 9207)", (back) => back.searchParams.set("iss", "https://evil.example"), "OpenIdNotProven"],
    ["without the issuer that names itself", (back) => back.searchParams.delete("iss"), "OpenIdNotProven"],
  ])("%s", async (_what, change, error) => {
    const browser = openBrowser();
    const back = await browser.visit(await browser.start(), "sub-ada");
    change(back);
    expect(await browser.comeBack(back)).toMatchObject({ session: null, path: "/sign-in", error });
    expect(await people()).toEqual([{ name: "root" }]);
  });
  test.each(["next-auth.state", "next-auth.nonce", "next-auth.pkce.code_verifier"])(
    "in a browser without the cookie %s: another person's code signs nobody in",
    async (cookie) => {
      const browser = openBrowser();
      const back = await browser.visit(await browser.start(), "sub-ada");
      browser.cookies.delete(cookie);
      expect(await browser.comeBack(back)).toMatchObject({ session: null, path: "/sign-in", error: "OAuthCallback" });
    },
  );
  test("with the state of another browser", async () => {
    const [victim, attacker] = [openBrowser(), openBrowser()];
    await victim.start();
    const back = await attacker.visit(await attacker.start(), "sub-ada");
    expect(await victim.comeBack(back)).toMatchObject({ session: null, error: "OpenIdNotProven" });
  });
});

test("a new person gets no name that an agent's owners or a policy's approvers state", async () => {
  const row = (resource: "agents" | "policies", body: object) =>
    ask(POST, "POST", `/api/admin/${resource}`, { params: { resource }, body });
  const agent = await row("agents", { name: "refunds", owners: ["ada"] });
  const offer = { name: "offer", effect: "request", maxHours: 1, everyone: true, groups: ["*"] };
  const policy = await row("policies", { ...offer, approvers: ["admin", "ada-2"] });
  expect([agent.status, policy.status]).toEqual([201, 201]);
  expect(await me(await signIn())).toMatchObject({ name: "ada-3" });
  await database.query("delete from agent");
  await database.query("delete from policy");
});

describe("a user of an OpenID provider", () => {
  const one = { resource: "users", id: "ada" };
  const read = () => ask(GET, "GET", "/api/admin/users/ada", { params: one });
  const write = async (body: object) => {
    const { headers } = await read();
    const held = { "if-match": headers.get("etag") ?? "" };
    return ask(PUT, "PUT", "/api/admin/users/ada", { params: one, body, headers: held });
  };
  const input = { name: "ada", email: "ada@example.com", displayName: "Ada Lovelace", role: "auditor", enabled: true };

  test("shows how the user signs in, and their identity at the provider", async () => {
    await signIn();
    expect((await read()).json).toMatchObject({ issuer: provider.issuer, subject: "sub-ada", role: "auditor" });
  });
  test("can be renamed and disabled here; changes of the provider's fields are refused by name", async () => {
    const session = await signIn();
    for (const [path, value] of [
      ["role", "admin"],
      ["email", "x@example.com"],
      ["displayName", "X"],
    ] as const) {
      const refused = await write({ ...input, [path]: value });
      expect([refused.status, refused.json.errors[0]?.path]).toEqual([400, path]);
    }
    expect((await write({ ...input, issuer: null })).status).toBe(400);
    expect((await write({ ...input, enabled: false })).status).toBe(200);
    expect(await me(session)).toBeNull();
  });
  test("has no password: none is changed, set or accepted", async () => {
    const { session } = await signIn();
    const headers = { cookie: session ?? "", origin: ORIGIN };
    const body = { current: "whatever it may be", next: "a new one that is long" };
    const refused = await ask(putPassword, "PUT", "/api/admin/me/password", { headers, body });
    expect([refused.status, refused.json.detail]).toEqual([403, expect.stringContaining(provider.issuer)]);
    const printed: string[] = [];
    const code = await runCommand(["user", "password", "ada@example.com"], {
      out: () => {},
      error: (text) => printed.push(text),
    });
    expect([code, printed.join()]).toEqual([2, expect.stringContaining("signs in with OpenID Connect")]);
    await expect(database.query(`update person set "passwordHash" = 'x' where name = 'ada'`)).rejects.toThrow(
      "one_way_in",
    );
  });
});
