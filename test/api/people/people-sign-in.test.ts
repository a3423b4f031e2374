import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { GET as readMe } from "@/app/api/admin/me/route";
import { GET, POST } from "@/app/api/auth/[...nextauth]/route";
import { hashPassword } from "@/lib/store/people/password";
import { readSession } from "@/lib/auth/people/session";
import { knownDevice } from "@/lib/auth/people/known-device";
import { accountDigest, signIn } from "@/lib/auth/people/sign-in";
import { flushRefusals } from "@/lib/store/audit/refusals";
import { findUserByEmail } from "@/lib/store/config/users";
import { useDatabase } from "@/test/support/database";
import { addPerson, ORIGIN } from "@/test/support/person";

const database = useDatabase();
const PASSWORD = "correct horse battery staple";
const START = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;
let passwordHash = "";

/** The origin of a sign-in attempt without a known device's cookie. */
const from = (address: string) => ({ address, device: null });

beforeAll(async () => {
  passwordHash = await hashPassword(PASSWORD);
});
beforeEach(async () => {
  await database.query("delete from sign_in_attempt");
  await database.query("delete from person");
  await addPerson({ email: "ada@example.com", name: "ada", role: "editor", passwordHash });
});

describe("the password", () => {
  test("is stored as argon2id, never as text", async () => {
    const [row] = await database.query<{ hash: string }>(`select "passwordHash" as hash from person`);
    expect(row?.hash).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$/);
    expect(row?.hash).not.toContain(PASSWORD);
  });
  test("signs in, whatever the case of the address", async () => {
    expect(await signIn(" Ada@Example.com ", PASSWORD, from("10.0.0.1"), START)).toMatchObject({ kind: "signed_in" });
  });
  test("gives the same answer for an unknown account and a wrong password, in similar time", async () => {
    const timed = async (email: string) => {
      const started = performance.now();
      const result = await signIn(email, "wrong", from("10.0.0.1"), START);
      return { result, ms: performance.now() - started };
    };
    await timed("warm@example.com");
    const known = [await timed("ada@example.com"), await timed("ada@example.com"), await timed("ada@example.com")];
    const unknown = [await timed("bob@example.com"), await timed("bob@example.com"), await timed("bob@example.com")];
    for (const { result } of [...known, ...unknown]) expect(result).toMatchObject({ kind: "refused" });
    const fastest = (all: readonly { ms: number }[]) => Math.min(...all.map(({ ms }) => ms));
    expect(fastest(unknown)).toBeGreaterThan(fastest(known) / 3);
    expect(fastest(unknown)).toBeLessThan(fastest(known) * 3);
  });
  test("of a disabled user is refused like a wrong one", async () => {
    await database.query("update person set enabled = false");
    expect(await signIn("ada@example.com", PASSWORD, from("10.0.0.1"), START)).toMatchObject({ kind: "refused" });
  });
});

describe("guessing", () => {
  const ADA = "ada@example.com";
  const guessed = (times: number, address: string) =>
    database.query(
      "insert into sign_in_attempt (account, address, at) select $1, $2, $3 from generate_series(1, $4::int) n",
      [accountDigest(ADA), address, new Date(START), times],
    );

  test("stops after 5 failures in 15 minutes for an account from an address, the right password included", async () => {
    for (let tried = 0; tried < 5; tried += 1)
      expect((await signIn(ADA, "wrong", from("10.0.1.1"), START + tried)).kind).toBe("refused");
    expect((await signIn(ADA, PASSWORD, from("10.0.1.1"), START + 5)).kind).toBe("throttled");
    expect((await signIn(ADA, PASSWORD, from("10.0.1.1"), START + 15 * MINUTE - 1)).kind).toBe("throttled");
    expect((await signIn(ADA, PASSWORD, from("10.0.1.1"), START + 15 * MINUTE)).kind).toBe("signed_in");
  });
  test("by another person does not lock the owner out, and the owner's sign-in does not reset the attacker's count", async () => {
    await guessed(5, "10.6.6.6");
    expect((await signIn(ADA, PASSWORD, from("10.0.1.1"), START + 1)).kind).toBe("signed_in");
    expect((await signIn(ADA, PASSWORD, from("10.6.6.6"), START + 2)).kind).toBe("throttled");
  });
  test("from many addresses stops after 100, and then a known device still passes", async () => {
    for (let at = 0; at < 20; at += 1) await guessed(5, `10.7.0.${at}`);
    expect((await signIn(ADA, PASSWORD, from("10.0.1.1"), START + 1)).kind).toBe("throttled");
    const known = { address: "10.0.1.1", device: "a-browser" };
    expect((await signIn(ADA, PASSWORD, known, START + 1)).kind).toBe("signed_in");
    for (let tried = 0; tried < 5; tried += 1) await signIn(ADA, "wrong", known, START + 2);
    expect((await signIn(ADA, PASSWORD, known, START + 3)).kind).toBe("throttled");
  });
  test("from one IPv6 network is counted together", async () => {
    for (const address of ["2001:db8::1", "2001:db8:0:0:ffff::2", "2001:db8::ffff:1:1:3", "2001:db8::4", "2001:db8::5"])
      await signIn(ADA, "wrong", from(address), START);
    expect((await signIn(ADA, PASSWORD, from("2001:db8::6"), START)).kind).toBe("throttled");
    expect((await signIn(ADA, PASSWORD, from("2001:db8:0:1::6"), START)).kind).toBe("signed_in");
  });
  test("throttles an account that does not exist in the same way", async () => {
    for (let guess = 0; guess < 5; guess += 1) await signIn("bob@example.com", "wrong", from("10.0.0.1"), START);
    expect((await signIn("bob@example.com", "wrong", from("10.0.0.1"), START)).kind).toBe("throttled");
  });
  test("counts concurrent guesses one by one: of 8 guesses 5 are checked", async () => {
    const guesses = Array.from({ length: 8 }, () => signIn(ADA, "wrong", from("10.1.0.1"), START));
    const kinds = (await Promise.all(guesses)).map((result) => result.kind);
    expect(kinds.filter((kind) => kind === "refused")).toHaveLength(5);
    expect(kinds.filter((kind) => kind === "throttled")).toHaveLength(3);
  });
  test("from one address stops after 30 failures in a minute, over all accounts", async () => {
    await database.query(
      "insert into sign_in_attempt (account, address, at) select 'x' || n, '10.9.9.9', $1 from generate_series(1, 30) n",
      [new Date(START)],
    );
    expect((await signIn("ada@example.com", PASSWORD, from("10.9.9.9"), START + 1)).kind).toBe("throttled");
    expect((await signIn("ada@example.com", PASSWORD, from("10.9.9.8"), START + 1)).kind).toBe("signed_in");
    expect((await signIn("ada@example.com", PASSWORD, from("10.9.9.9"), START + MINUTE)).kind).toBe("signed_in");
  });
  test("resets after the right password, and old attempts are deleted", async () => {
    for (let guess = 0; guess < 4; guess += 1) await signIn("ada@example.com", "wrong", from("10.0.0.1"), START);
    expect((await signIn("ada@example.com", PASSWORD, from("10.0.0.1"), START + 1)).kind).toBe("signed_in");
    expect(await database.query("select 1 from sign_in_attempt")).toHaveLength(0);
  });
});

describe("through the browser", () => {
  const at = (path: string) => ({ params: Promise.resolve({ nextauth: path.split("/") }) });

  const post = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    send("callback/credentials", fields, headers);
  async function send(
    action: string,
    fields: Record<string, string>,
    { cookie: held, ...headers }: Record<string, string>,
  ) {
    const csrf = await GET(new Request(`${ORIGIN}/api/auth/csrf`), at("csrf"));
    const { csrfToken } = (await csrf.json()) as { csrfToken: string };
    const cookie = csrf.headers
      .getSetCookie()
      .map((text) => text.split(";")[0] ?? "")
      .concat(held ?? [])
      .join("; ");
    const body = new URLSearchParams({ csrfToken, json: "true", callbackUrl: "/", ...fields });
    const request = new Request(`${ORIGIN}/api/auth/${action}`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", origin: ORIGIN, cookie, ...headers },
      body,
    });
    return POST(request, at(action));
  }
  const sessionOf = (response: Response) =>
    response.headers.getSetCookie().find((text) => text.startsWith("next-auth.session-token="));

  test("the right password gives an HttpOnly, SameSite session cookie", async () => {
    const response = await post({ email: "ada@example.com", password: PASSWORD });
    expect(response.status).toBe(200);
    const cookie = sessionOf(response) ?? "";
    expect(cookie).toMatch(/HttpOnly/i);
    expect(cookie).toMatch(/SameSite=Lax/i);
    const user = await findUserByEmail("ada@example.com");
    expect(await readSession(cookie.split(";")[0] ?? "")).toMatchObject({ userId: user?.id, epoch: 0 });
  });
  test("a session continues after a rotation of its secret while the old one is configured too", async () => {
    const cookie = sessionOf(await post({ email: "ada@example.com", password: PASSWORD }))?.split(";")[0] ?? "";
    const started = async (previous: string) => {
      vi.stubEnv("NEXTAUTH_SECRET_PREVIOUS", previous);
      vi.stubEnv("NEXTAUTH_SECRET", "another-secret-that-is-long-enough-for-the-schema");
      vi.resetModules();
      return (await import("@/lib/auth/people/session")).readSession;
    };
    const known = process.env["NEXTAUTH_SECRET"] ?? "";
    expect(await (await started(known))(cookie)).toMatchObject({ epoch: 0 });
    expect(await (await started(""))(cookie)).toBeNull();
    vi.unstubAllEnvs();
  });
  test("a wrong password and an unknown account give the same bytes and no cookie", async () => {
    const wrong = await post({ email: "ada@example.com", password: "wrong" });
    const unknown = await post({ email: "eve@example.com", password: "wrong" });
    expect([wrong.status, sessionOf(wrong)]).toEqual([401, undefined]);
    expect([unknown.status, sessionOf(unknown)]).toEqual([401, undefined]);
    const text = await wrong.text();
    expect(await unknown.text()).toBe(text);
    expect(text).toContain("error=CredentialsSignin");
  });
  test("too many failures are named, so that the page can say to wait", async () => {
    for (let guess = 0; guess < 5; guess += 1) await post({ email: "ada@example.com", password: "wrong" });
    const response = await post({ email: "ada@example.com", password: PASSWORD });
    expect(sessionOf(response)).toBeUndefined();
    expect(await response.text()).toContain("error=Throttled");
  });
  test("a known browser is not affected by others' wrong guesses: the cookie of an earlier sign-in has its own count", async () => {
    const first = await post({ email: "ada@example.com", password: PASSWORD });
    const device = first.headers.getSetCookie().find((text) => text.startsWith("quartermaster.device=")) ?? "";
    expect(device).toMatch(/HttpOnly; SameSite=Lax/);
    for (let tried = 0; tried < 5; tried += 1) await post({ email: "ada@example.com", password: "wrong" });
    expect(sessionOf(await post({ email: "ada@example.com", password: PASSWORD }))).toBeUndefined();
    const cookie = device.split(";")[0] ?? "";
    expect(sessionOf(await post({ email: "ada@example.com", password: PASSWORD }, { cookie }))).toBeDefined();
    // Neither a session cookie, nor one for another account.
    expect(await readSession(cookie.replace("quartermaster.device", "next-auth.session-token"))).toBeNull();
    expect(await knownDevice(cookie, accountDigest("eve@example.com"))).toBeNull();
  });
  test("signing out ends the session for every copy of the cookie; an old copy ends no later session", async () => {
    const signedIn = async () =>
      sessionOf(await post({ email: "ada@example.com", password: PASSWORD }))?.split(";")[0] ?? "";
    const open = async (cookie: string) =>
      (await readMe(new Request(`${ORIGIN}/api/admin/me`, { headers: { cookie } }))).status;
    const [first, elsewhere] = [await signedIn(), await signedIn()];
    expect([await open(first), await open(elsewhere)]).toEqual([200, 200]);
    expect((await send("signout", {}, { cookie: first })).status).toBe(200);
    expect([await open(first), await open(elsewhere)]).toEqual([401, 401]);
    const later = await signedIn();
    await send("signout", {}, { cookie: first });
    expect(await open(later)).toBe(200);
  });
  test("each sign-in and each sign-out is an audit event, and refused ones are counted", async () => {
    await flushRefusals();
    const [last] = await database.query<{ id: number }>("select coalesce(max(id), 0)::int as id from audit_event");
    const headers = { "x-forwarded-for": "192.0.2.9" };
    const cookie =
      sessionOf(await post({ email: "ada@example.com", password: PASSWORD }, headers))?.split(";")[0] ?? "";
    await send("signout", {}, { cookie, ...headers });
    // A copy of the ended session ends nothing, and says nothing.
    await send("signout", {}, { cookie, ...headers });
    for (const email of ["ada@example.com", "ada@example.com", "nobody@example.com"])
      await post({ email, password: "wrong" }, headers);
    await database.query("update person set enabled = false");
    await post({ email: "ada@example.com", password: PASSWORD }, headers);
    await flushRefusals();
    const rows = await database.query(
      `select kind || ' ' || actor || ' ' || action || ' ' || coalesce(detail, '') || ' ' || count as line, address
       from audit_event where id > $1 order by id`,
      [last?.id],
    );
    // Refusals of known accounts and of strangers are counted apart: the order of their rows is open.
    expect(rows.map(({ line }) => line).toSorted()).toEqual([
      "address 192.0.2.9 refused.sign_in No such account. 1",
      "user ada@example.com people.signed_in password 1",
      "user ada@example.com people.signed_out password 1",
      "user ada@example.com refused.sign_in The account is disabled. 1",
      "user ada@example.com refused.sign_in The password is wrong. 2",
    ]);
    expect(new Set(rows.map(({ address }) => address))).toEqual(new Set(["192.0.2.9"]));
  });
  test("another site's form is refused, and so is one without an origin", async () => {
    const foreign = await post({ email: "ada@example.com", password: PASSWORD }, { origin: "https://evil.example" });
    expect([foreign.status, sessionOf(foreign)]).toEqual([403, undefined]);
    const nowhere = await post({ email: "ada@example.com", password: PASSWORD }, { origin: "null" });
    expect(nowhere.status).toBe(403);
  });
  test("this machine's other names are the same origin, another port is not", async () => {
    const named = await post({ email: "ada@example.com", password: PASSWORD }, { origin: "http://localhost:3000" });
    expect(sessionOf(named)).toBeDefined();
    const other = await post({ email: "ada@example.com", password: PASSWORD }, { origin: "http://localhost:3001" });
    expect(other.status).toBe(403);
  });
  test("no `callbackUrl` makes a sign-in route fail, and none redirects to another site", async () => {
    const hostile = [
      "http://",
      "//",
      "x:",
      "javascript:alert(1)",
      "/\\evil.example",
      "\0",
      "http://[",
      "%",
      "https://evil.example/a",
      `/${"/a".repeat(1000)}`,
      `/${"a&".repeat(999)}`,
      `/${"a".repeat(9000)}`,
    ];
    const actions = ["signin", "signin/credentials", "signout", "csrf", "session", "providers", "callback/credentials"];
    actions.push("error", "callback/nobody", "signin/nobody", "_log", "verify-request", "constructor", "toString");
    const answers: Response[] = [];
    for (const action of actions)
      for (const callbackUrl of hostile) {
        const query = new URLSearchParams({ callbackUrl, error: "x" });
        const cookie = `next-auth.callback-url=${encodeURIComponent(callbackUrl)}`;
        answers.push(await GET(new Request(`${ORIGIN}/api/auth/${action}?${query}`), at(action)));
        answers.push(await GET(new Request(`${ORIGIN}/api/auth/${action}`, { headers: { cookie } }), at(action)));
        answers.push(await send(action, { callbackUrl }, { cookie }));
        const body = JSON.stringify({ callbackUrl: { toString: callbackUrl }, csrfToken: [callbackUrl] });
        const headers = { "content-type": "application/json", origin: ORIGIN };
        answers.push(
          await POST(new Request(`${ORIGIN}/api/auth/${action}`, { method: "POST", headers, body }), at(action)),
        );
      }
    expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
    // The gateway reads at most 16 KiB of headers, and answers 503 instead of more.
    const sizes = answers.map(({ headers }) => [...headers].flat().join("").length);
    expect(Math.max(...sizes)).toBeLessThan(15 * 1024);
    const elsewhere = answers
      .map(({ headers }) => headers.get("location") ?? "")
      .filter((to) => /^[a-z]+:|^\/[/\\]/.test(to));
    expect(elsewhere.filter((to) => new URL(to).origin !== ORIGIN)).toEqual([]);
  });
  test("an oversized form is refused before it is read whole", async () => {
    const response = await post({ email: "ada@example.com", password: "x".repeat(40_000) });
    expect(response.status).toBe(413);
  });
});
