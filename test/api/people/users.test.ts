import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { DELETE, GET, PUT } from "@/app/api/admin/[resource]/[id]/route";
import { GET as GET_LIST, POST } from "@/app/api/admin/[resource]/route";
import { PUT as putPassword } from "@/app/api/admin/me/password/route";
import { GET as readMe } from "@/app/api/admin/me/route";
import { POST as resetPassword } from "@/app/api/admin/users/[name]/password/route";
import { runCommand } from "@/bin/quartermaster.ts";
import { signIn as signInWith } from "@/lib/auth/people/sign-in";
import type { Handler } from "@/lib/http/route";
import type { Role } from "@/lib/resources/permissions";
import { closeDatabase, db } from "@/lib/store/db/database";
import { mintToken } from "@/lib/store/keys/credentials";
import { findUsableToken, tokens } from "@/lib/store/people/tokens";
import { findUserByEmail } from "@/lib/store/config/users";
import { ask, type Sent } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";
import { ORIGIN, signIn, cookieOf } from "@/test/support/person";

const database = useDatabase();
const START = Date.UTC(2026, 0, 1);
const admin = { name: "the-admin", email: "admin@example.com", displayName: "The admin", role: "admin" } as const;
const second = { ...admin, name: "second", email: "second@example.com" };
const ada = { name: "ada", email: "ada@example.com", role: "editor" } as const;

beforeEach(async () => {
  await database.query("delete from person");
  await database.query("delete from sign_in_attempt");
  await database.query("delete from token");
});

const params = { resource: "users" };
const create = (body: object) => ask(POST, "POST", "/api/admin/users", { body, params });
const one = (handler: Handler, method: string, name: string, sent: Sent = {}) =>
  ask(handler, method, `/api/admin/users/${name}`, { ...sent, params: { ...params, id: name } });
const replace = async (name: string, body: object, headers: Record<string, string> = {}) => {
  const etag = (await one(GET, "GET", name, { headers })).headers.get("etag") ?? "";
  return one(PUT, "PUT", name, { body, headers: { "if-match": etag, ...headers } });
};
const remove = (name: string) => one(DELETE, "DELETE", name);

async function sessionOf(email: string) {
  const found = await findUserByEmail(email);
  return { cookie: await cookieOf(found!), origin: ORIGIN };
}
const live = async (headers: Record<string, string>) =>
  (await readMe(new Request(`${ORIGIN}/api/admin/me`, { headers }))).status === 200;

describe("an access token", () => {
  const made = async (email: string, role: Role = "admin", days = 90) => {
    const expiresAt = new Date(Date.now() + days * 24 * 3_600_000).toISOString();
    const actor = { kind: "user", name: email, role: "admin" } as const;
    return tokens.create(actor, { name: "ci", role, expiresAt, enabled: true });
  };
  const roleOf = async (token: string) => {
    const answer = await readMe(
      new Request(`${ORIGIN}/api/admin/me`, { headers: { authorization: `Bearer ${token}` } }),
    );
    return answer.status === 200 ? ((await answer.json()) as { role: string }).role : answer.status;
  };

  test("has its maker's role of now, where that is less, and ends when they are disabled or deleted", async () => {
    await create({ ...ada, role: "admin" });
    const { token } = await made(ada.email);
    expect(await roleOf(token)).toBe("admin");
    for (const role of ["editor", "auditor", "admin"]) {
      await replace("ada", { ...ada, role });
      expect(await roleOf(token)).toBe(role);
    }
    await replace("ada", { ...ada, role: "admin", enabled: false });
    expect(await roleOf(token)).toBe(401);
    await replace("ada", { ...ada, role: "admin" });
    expect(await roleOf(token)).toBe("admin");
    await remove("ada");
    expect(await roleOf(token)).toBe(401);
    // Another person of the same name and address is another person.
    await create({ ...ada, role: "admin" });
    expect(await roleOf(token)).toBe(401);
  });
  test.each([
    ["auditor", "editor"],
    ["editor", "auditor"],
  ] as const)("for an %s is refused while its maker is an %s: neither may do what the other may", async (role, now) => {
    await create({ ...ada, role: "admin" });
    const { token } = await made(ada.email, role);
    expect(await roleOf(token)).toBe(role);
    await replace("ada", { ...ada, role: now });
    expect(await roleOf(token)).toBe(401);
  });
  test("that a token creates belongs to the token's person; one from the command line to no person", async () => {
    await create({ ...ada, role: "admin" });
    await made(ada.email);
    const byToken = { kind: "token", name: "ci", role: "admin" } as const;
    const { token } = await tokens.create(byToken, { name: "second", role: "admin", expiresAt: null, enabled: true });
    const console = { kind: "system", name: "command line", role: "admin" } as const;
    const machine = await tokens.create(console, { name: "machine", role: "editor", expiresAt: null, enabled: true });
    await remove("ada");
    expect([await roleOf(token), await roleOf(machine.token)]).toEqual([401, "editor"]);
  });
  test("is listed with its last use, stored at most once a minute", async () => {
    await create({ ...ada, role: "admin" });
    const { token } = await made(ada.email);
    const lastUse = async () => {
      const { json } = await ask(GET_LIST, "GET", "/api/admin/tokens", { params: { resource: "tokens" } });
      const [row] = json.items;
      return row?.["lastUsedAt"] as string | null;
    };
    // Other tests of this file use tokens of the same name within the minute.
    const [firstUse, nextUse] = [Date.now() + 120_000, Date.now() + 240_000];
    const useAt = async (at: number) => {
      const clock = vi.spyOn(Date, "now").mockReturnValue(at);
      await findUsableToken(token, at).finally(() => clock.mockRestore());
    };
    expect(await lastUse()).toBeNull();
    await useAt(firstUse);
    await vi.waitFor(async () => expect(await lastUse()).toBe(new Date(firstUse).toISOString()));
    await useAt(nextUse);
    await vi.waitFor(async () => expect(await lastUse()).toBe(new Date(nextUse).toISOString()));
    const updates = vi.spyOn(db().token, "updateMany");
    onTestFinished(() => updates.mockRestore());
    await useAt(nextUse + 59_000);
    expect(updates).not.toHaveBeenCalled();
    await useAt(nextUse + 60_000);
    expect(updates).toHaveBeenCalledTimes(1);
    await findUsableToken(mintToken().token, nextUse + 300_000);
    expect(updates).toHaveBeenCalledTimes(1);
  });
  test("lasts a year at most, also when it was given more before or its date is moved on", async () => {
    await create({ ...ada, role: "admin" });
    await expect(made(ada.email, "admin", 400)).rejects.toMatchObject({ code: "invalid_request" });
    const { token, revision, expiresAt: _, ...row } = await made(ada.email, "admin", 365);
    const { lastFour: _four, lastUsedAt: _used, createdBy: _by, createdAt: _at, updatedAt: _u, ...input } = row;
    await database.query(
      `update token set "createdAt" = "createdAt" - interval '2 days', "expiresAt" = now() + interval '9 years'`,
    );
    expect(await roleOf(token)).toBe("admin");
    const later = new Date(Date.now() + 365 * 24 * 3_600_000).toISOString();
    await expect(
      tokens.replace({ kind: "user", name: ada.email, role: "admin" }, "ci", { ...input, expiresAt: later }, revision),
    ).rejects.toMatchObject({ code: "invalid_request", errors: [{ path: "expiresAt" }] });
    await database.query(`update token set "createdAt" = "createdAt" - interval '365 days'`);
    expect(await roleOf(token)).toBe(401);
  });
});

describe("a new user", () => {
  test("gets a password that signs in; neither it nor its hash is in a row or the history", async () => {
    const made = await create(ada);
    const password = String(made.json["password"]);
    expect(password).toMatch(/^([a-z2-9]{5}-){3}[a-z2-9]{5}$/);
    expect(await signInWith(ada.email, password, { address: "10.0.0.1", device: null }, START)).toMatchObject({
      kind: "signed_in",
    });
    const answers = JSON.stringify([
      made.json["passwordHash"] ?? null,
      (await replace("ada", { ...ada, displayName: "A" })).json,
      await database.query(`select "rowId", before, after from change`),
    ]);
    for (const secret of [password, "argon2", "passwordHash", "sessionEpoch"]) expect(answers).not.toContain(secret);
    const people = JSON.stringify(await database.query("select * from person"));
    expect(people).not.toContain(password);
  });
  test("has a unique address in any case; a taken one is refused by its field", async () => {
    await create(ada);
    const again = await create({ ...ada, name: "ada2", email: " ADA@Example.com " });
    expect(again.status).toBe(400);
    expect(again.json.errors).toEqual([{ path: "email", message: "`ada` has the same email" }]);
  });
  test("signs in with the address of this machine, and with none that is no address", async () => {
    expect((await create({ ...ada, email: "ops@localhost" })).status).toBe(201);
    for (const email of ["", "ada", "a b@example.com", "a@b@c", "a\u0000@example.com", `${"a".repeat(320)}@b`])
      expect((await create({ ...ada, name: "x", email })).json.errors[0]?.path).toBe("email");
  });
});

describe("a session ends at once", () => {
  test.each([
    ["another role", { role: "auditor" }],
    ["a disabled account", { enabled: false }],
  ])("with %s, and does not come back when that is undone", async (_what, change) => {
    await create(ada);
    const headers = await sessionOf(ada.email);
    expect(await live(headers)).toBe(true);
    expect((await replace("ada", { ...ada, ...change })).status).toBe(200);
    expect(await live(headers)).toBe(false);
    expect((await replace("ada", ada)).status).toBe(200);
    expect(await live(headers)).toBe(false);
    expect(await live(await sessionOf(ada.email))).toBe(true);
  });
  test("with the user, and not with another name, address or display name", async () => {
    await create(ada);
    const headers = await sessionOf(ada.email);
    const renamed = { ...ada, name: "countess", email: "ada@lovelace.example", displayName: "Ada Lovelace" };
    expect((await replace("ada", renamed)).json).toMatchObject(renamed);
    expect(await live(headers)).toBe(true);
    await remove("countess");
    await create(ada);
    expect(await live(headers)).toBe(false);
  });
});

test("an owner of an agent is neither deleted nor renamed: the next person with the name would get the agent", async () => {
  await create(ada);
  const agents = { resource: "agents" };
  await ask(POST, "POST", "/api/admin/agents", { params: agents, body: { name: "refunds", owners: ["ada"] } });
  for (const refused of [await remove("ada"), await replace("ada", { ...ada, name: "countess" })])
    expect([refused.status, refused.json.code, refused.json.errors[0]?.path]).toEqual([
      409,
      "in_use",
      "agents[refunds].owners[0]",
    ]);
  await ask(DELETE, "DELETE", "/api/admin/agents/refunds", { params: { ...agents, id: "refunds" } });
  expect((await remove("ada")).status).toBe(204);
});

describe("the last enabled admin", () => {
  test.each([
    ["demoted", () => replace("the-admin", { ...admin, role: "editor" }), "role"],
    ["disabled", () => replace("the-admin", { ...admin, enabled: false }), "enabled"],
    ["removed", () => remove("the-admin"), undefined],
  ])("is not %s, and the refusal names what to do first", async (_what, change, path) => {
    await create({ ...second, enabled: false });
    const refused = await change();
    expect([refused.status, refused.json.code]).toEqual([409, "conflict"]);
    expect(refused.json.detail).toContain("make someone else an admin first");
    expect(refused.json.errors?.[0]?.path).toBe(path);
    expect(await findUserByEmail(admin.email)).toMatchObject({ role: "admin", enabled: true });
  });
  test("may go when there is another one", async () => {
    await create(second);
    expect((await remove("the-admin")).status).toBe(204);
  });
  test("survives when two admins demote, disable or remove each other at once", async () => {
    for (let round = 0; round < 8; round += 1) {
      await database.query("delete from person");
      await create(second);
      const byAdmin = await signIn("admin");
      const bySecond = await sessionOf(second.email);
      const answers = await Promise.all([
        replace("second", { ...second, role: "editor" }, byAdmin),
        round % 2 === 0
          ? replace("the-admin", { ...admin, role: "auditor" }, bySecond)
          : replace("the-admin", { ...admin, enabled: false }, bySecond),
      ]);
      // The slower one finds its session ended or its change refused; never do both come true.
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(await database.query("select 1 from person where role = 'admin' and enabled")).toHaveLength(1);
    }
  });
});

describe("one's own password", () => {
  const NEXT = "a new one that is long";
  async function ready() {
    const current = String((await create(ada)).json["password"]);
    return { current, headers: await sessionOf(ada.email) };
  }
  const put = (body: object, headers: Record<string, string>) =>
    ask(putPassword, "PUT", "/api/admin/me/password", { body, headers });

  test("is changed by any role with the present password: other sessions end, this browser continues", async () => {
    const { current, headers } = await ready();
    const changed = await put({ current, next: NEXT }, headers);
    expect([changed.status, changed.text]).toEqual([204, ""]);
    expect(await live(headers)).toBe(false);
    const cookie = changed.headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(/; HttpOnly; SameSite=Lax$/);
    expect(await live({ cookie: cookie.split(";")[0]! })).toBe(true);
    expect((await signInWith(ada.email, current, { address: "10.0.0.1", device: null }, START)).kind).toBe("refused");
    expect((await signInWith(ada.email, NEXT, { address: "10.0.0.1", device: null }, START)).kind).toBe("signed_in");
    const [event] = await database.query("select actor, action, target from audit_event order by id desc limit 1");
    expect(event).toEqual({ actor: ada.email, action: "users.password", target: ada.email });
  });
  test("is not changed without the present password, and guesses are counted as at sign-in", async () => {
    const { current, headers } = await ready();
    for (let guess = 0; guess < 5; guess += 1) {
      const refused = await put({ current: `wrong ${guess}`, next: NEXT }, headers);
      expect([refused.status, refused.json.errors[0]?.path]).toEqual([400, "current"]);
    }
    const throttled = await put({ current, next: NEXT }, headers);
    expect([throttled.status, throttled.json.code]).toEqual([429, "rate_limited"]);
    expect(throttled.headers.get("retry-after")).toBe("900");
    expect((await signInWith(ada.email, current, { address: "unknown", device: null }, Date.now())).kind).toBe(
      "throttled",
    );
    expect(await live(headers)).toBe(true);
  });
  test("needs 12 characters or more and must differ", async () => {
    const { current, headers } = await ready();
    for (const next of ["too short", "x".repeat(1025), current])
      expect((await put({ current, next }, headers)).json.errors[0]?.path).toBe("next");
  });
  test("a token has no password", async () => {
    const actor = { kind: "system", name: "test", role: "admin" } as const;
    const { token } = await tokens.create(actor, { name: "ci", role: "admin", expiresAt: null, enabled: true });
    const refused = await put({ current: mintToken().token, next: NEXT }, { authorization: `Bearer ${token}` });
    expect([refused.status, refused.json.code]).toEqual([403, "forbidden"]);
  });
  test("changed twice at once is changed once", async () => {
    const { current, headers } = await ready();
    const answers = await Promise.all([
      put({ current, next: NEXT }, headers),
      put({ current, next: `${NEXT}!` }, headers),
    ]);
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
  });
});

describe("another person's password", () => {
  const reset = (name: string, role: Role = "admin") =>
    ask(resetPassword, "POST", `/api/admin/users/${name}/password`, { params: { name }, role });

  test("is set by an admin: sessions end, wrong guesses are forgotten, and the audit trail says who did it", async () => {
    await create(ada);
    const headers = await sessionOf(ada.email);
    const from = { address: "10.0.0.1", device: null };
    for (let guess = 0; guess < 5; guess += 1) await signInWith(ada.email, "wrong", from, START);
    const { status, json } = await reset("ada");
    expect(status).toBe(201);
    expect(await live(headers)).toBe(false);
    expect((await signInWith(ada.email, String(json["password"]), from, START)).kind).toBe("signed_in");
    const [event] = await database.query("select actor, action, target from audit_event order by id desc limit 1");
    expect(event).toEqual({ actor: admin.email, action: "users.password", target: ada.email });
  });
  test("is not set for oneself, for a person of an OpenID provider, for nobody, or by an editor", async () => {
    await create(ada);
    await database.query(
      `update person set issuer = 'https://id.example', subject = 'a', "passwordHash" = null where name = 'ada'`,
    );
    expect((await reset("ada")).json.detail).toContain("signs in at https://id.example");
    expect((await reset("the-admin")).json.detail).toContain("This is your account");
    expect((await reset("nobody")).status).toBe(404);
    expect((await reset("ada", "editor")).json["permission"]).toBe("people:write");
  });
});

describe("the command line", () => {
  async function run(...args: string[]) {
    const out: string[] = [];
    const errors: string[] = [];
    const code = await runCommand(args, { out: (text) => out.push(text), error: (text) => errors.push(text) });
    return { code, out: out.join("\n"), error: errors.join("\n") };
  }

  test("sets a new password for a person who forgot theirs: sessions end, and wrong guesses are reset", async () => {
    await create(ada);
    const headers = await sessionOf(ada.email);
    for (let guess = 0; guess < 5; guess += 1)
      await signInWith(ada.email, "wrong", { address: "10.0.0.1", device: null }, START);
    const { code, out, error } = await run("user", "password", "Ada@Example.com");
    expect(code).toBe(0);
    expect(error).toContain("not shown again");
    expect(await live(headers)).toBe(false);
    expect((await signInWith(ada.email, out, { address: "10.0.0.1", device: null }, START)).kind).toBe("signed_in");
  });
  test("adds a user, by default named after the address", async () => {
    const { code, out } = await run("user", "create", "grace+ops@navy.example", "--role", "auditor", "--json");
    expect(code).toBe(0);
    const made = JSON.parse(out) as { password: string };
    expect(await findUserByEmail("grace+ops@navy.example")).toMatchObject({ name: "grace-ops", role: "auditor" });
    expect(
      (await signInWith("grace+ops@navy.example", made.password, { address: "10.0.0.1", device: null }, START)).kind,
    ).toBe("signed_in");
  });
  test.each([
    [["user"], "user password EMAIL"],
    [["user", "password"], "user password EMAIL"],
    [["user", "dance", "a@b"], "user password EMAIL"],
    [["user", "password", "nobody@example.com"], "There is no user `nobody@example.com`"],
    [["user", "create", "a@b"], "Set --role"],
    [["user", "create", "a@b", "--role", "king"], "--role"],
    [["user", "create", "ab", "--role", "admin"], "EMAIL: use an e-mail address"],
    [["user", "create", "@b", "--role", "admin"], "--name"],
    [["user", "create", "ada@other.example", "--role", "admin"], "already a `ada`"],
    [["user", "create", "ada@example.com", "--role", "admin", "--name", "x"], "EMAIL: `ada` has the same email"],
  ])("reports %j in a sentence and exits with 2", async (args, text) => {
    await create(ada);
    const { code, out, error } = await run(...args);
    expect([code, out]).toEqual([2, ""]);
    expect(error).toContain(text);
    await closeDatabase();
  });
});
