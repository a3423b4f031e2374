import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { GET as readMe } from "@/app/api/admin/me/route";
import { GET, POST } from "@/app/api/auth/[...nextauth]/route";
import { hashPassword } from "@/lib/store/password";
import { readSession } from "@/lib/auth/people/session";
import { signIn } from "@/lib/auth/people/sign-in";
import { findUserByEmail } from "@/lib/store/users";
import { useDatabase } from "@/test/support/database";
import { addPerson, ORIGIN } from "@/test/support/person";

const database = useDatabase();
const PASSWORD = "correct horse battery staple";
const START = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;
let passwordHash = "";

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
    expect(await signIn(" Ada@Example.com ", PASSWORD, "10.0.0.1", START)).toMatchObject({ kind: "signed_in" });
  });
  test("of an unknown account and a wrong one get the same answer in similar time", async () => {
    const timed = async (email: string) => {
      const started = performance.now();
      const result = await signIn(email, "wrong", "10.0.0.1", START);
      return { result, ms: performance.now() - started };
    };
    await timed("warm@example.com");
    const known = [await timed("ada@example.com"), await timed("ada@example.com"), await timed("ada@example.com")];
    const unknown = [await timed("bob@example.com"), await timed("bob@example.com"), await timed("bob@example.com")];
    for (const { result } of [...known, ...unknown]) expect(result).toEqual({ kind: "refused" });
    const fastest = (all: readonly { ms: number }[]) => Math.min(...all.map(({ ms }) => ms));
    expect(fastest(unknown)).toBeGreaterThan(fastest(known) / 3);
    expect(fastest(unknown)).toBeLessThan(fastest(known) * 3);
  });
  test("of a disabled user is refused like a wrong one", async () => {
    await database.query("update person set enabled = false");
    expect(await signIn("ada@example.com", PASSWORD, "10.0.0.1", START)).toEqual({ kind: "refused" });
  });
});

describe("guessing", () => {
  test("stops after 5 failures in 15 minutes for an account, the right password included", async () => {
    for (let guess = 0; guess < 5; guess += 1)
      expect((await signIn("ada@example.com", "wrong", `10.0.0.${guess}`, START + guess)).kind).toBe("refused");
    expect((await signIn("ada@example.com", PASSWORD, "10.0.1.1", START + 5)).kind).toBe("throttled");
    expect((await signIn("ada@example.com", PASSWORD, "10.0.1.1", START + 15 * MINUTE - 1)).kind).toBe("throttled");
    expect((await signIn("ada@example.com", PASSWORD, "10.0.1.1", START + 15 * MINUTE)).kind).toBe("signed_in");
  });
  test("throttles an account that does not exist in the same way", async () => {
    for (let guess = 0; guess < 5; guess += 1) await signIn("bob@example.com", "wrong", "10.0.0.1", START);
    expect((await signIn("bob@example.com", "wrong", "10.0.0.1", START)).kind).toBe("throttled");
  });
  test("at once is counted one by one: 8 guesses together are 5 looks at the password", async () => {
    const guesses = Array.from({ length: 8 }, (_, at) => signIn("ada@example.com", "wrong", `10.1.0.${at}`, START));
    const kinds = (await Promise.all(guesses)).map((result) => result.kind);
    expect(kinds.filter((kind) => kind === "refused")).toHaveLength(5);
    expect(kinds.filter((kind) => kind === "throttled")).toHaveLength(3);
  });
  test("from one address stops after 30 failures in a minute, over all accounts", async () => {
    await database.query(
      "insert into sign_in_attempt (account, address, at) select 'x' || n, '10.9.9.9', $1 from generate_series(1, 30) n",
      [new Date(START)],
    );
    expect((await signIn("ada@example.com", PASSWORD, "10.9.9.9", START + 1)).kind).toBe("throttled");
    expect((await signIn("ada@example.com", PASSWORD, "10.9.9.8", START + 1)).kind).toBe("signed_in");
    expect((await signIn("ada@example.com", PASSWORD, "10.9.9.9", START + MINUTE)).kind).toBe("signed_in");
  });
  test("is forgotten after the right password, and old attempts are swept", async () => {
    for (let guess = 0; guess < 4; guess += 1) await signIn("ada@example.com", "wrong", "10.0.0.1", START);
    expect((await signIn("ada@example.com", PASSWORD, "10.0.0.1", START + 1)).kind).toBe("signed_in");
    expect(await database.query("select 1 from sign_in_attempt")).toHaveLength(0);
  });
});

describe("through the browser's door", () => {
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
    expect(await readSession(cookie.split(";")[0] ?? "")).toEqual({ userId: user?.id, epoch: 0 });
  });
  test("a session goes on when its secret was rotated, as long as the old one is named beside the new one", async () => {
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
  test("signing out ends the session for good, whoever kept a copy of the cookie; an old copy ends no later one", async () => {
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
  test("an oversized form is refused before it is read whole", async () => {
    const response = await post({ email: "ada@example.com", password: "x".repeat(40_000) });
    expect(response.status).toBe(413);
  });
});
