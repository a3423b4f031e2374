import { NextRequest } from "next/server";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { GET as readMe } from "@/app/api/admin/me/route";
import { GET, POST } from "@/app/api/auth/[...nextauth]/route";
import { SESSION_SECONDS } from "@/lib/auth/people/session";
import { hashPassword } from "@/lib/store/people/password";
import { proxy } from "@/proxy";
import { useDatabase } from "@/test/support/database";
import { addPerson, ORIGIN } from "@/test/support/person";

const database = useDatabase();
const SESSION_COOKIE = "next-auth.session-token";
const PASSWORD = "correct horse battery staple";
const START = Date.UTC(2026, 5, 1, 8);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
let passwordHash = "";

beforeAll(async () => {
  passwordHash = await hashPassword(PASSWORD);
});
beforeEach(async () => {
  await database.query("delete from person");
  await addPerson({ email: "ada@example.com", name: "ada", role: "editor", passwordHash });
  vi.useFakeTimers({ toFake: ["Date"], now: START });
});
afterEach(() => vi.useRealTimers());

const at = (path: string) => ({ params: Promise.resolve({ nextauth: path.split("/") }) });
const pairs = (response: Response) => response.headers.getSetCookie().map((text) => text.split(";")[0] ?? "");
const sessionIn = (response: Response) => pairs(response).find((pair) => pair.startsWith("next-auth.session-token="));

/** The cookie that a browser holds after it signed in through the real routes. */
async function signIn(): Promise<string> {
  const csrf = await GET(new Request(`${ORIGIN}/api/auth/csrf`), at("csrf"));
  const { csrfToken } = (await csrf.json()) as { csrfToken: string };
  const body = new URLSearchParams({ csrfToken, json: "true", email: "ada@example.com", password: PASSWORD });
  const headers = { origin: ORIGIN, cookie: pairs(csrf).join("; ") };
  const path = "callback/credentials";
  const answer = await POST(new Request(`${ORIGIN}/api/auth/${path}`, { method: "POST", headers, body }), at(path));
  return sessionIn(answer) ?? "";
}

const isOpen = async (cookie: string) =>
  (await readMe(new Request(`${ORIGIN}/api/admin/me`, { headers: { cookie } }))).status === 200;
const later = (ms: number) => void vi.setSystemTime(START + ms);

/** The browser's cookies after a request through proxy.ts. */
async function ask(
  path: string,
  cookie: string,
  headers: Record<string, string> = {},
  method = "GET",
): Promise<string> {
  return sessionIn(await proxy(new NextRequest(ORIGIN + path, { method, headers: { cookie, ...headers } }))) ?? cookie;
}

describe("a session of a real sign-in", () => {
  test("ends after an hour in which its person did nothing", async () => {
    const cookie = await signIn();
    later(HOUR - MINUTE);
    expect(await isOpen(cookie)).toBe(true);
    later(HOUR + MINUTE);
    expect(await isOpen(cookie)).toBe(false);
  });
  test("continues while the person opens pages, and ends 12 hours after the sign-in", async () => {
    let cookie = await signIn();
    for (let minutes = 50; minutes < 12 * 60; minutes += 50) {
      later(minutes * MINUTE);
      cookie = await ask("/admin/tools", cookie);
      expect(await isOpen(cookie)).toBe(true);
    }
    later(12 * HOUR - 1000);
    cookie = await ask("/admin/tools", cookie);
    expect(await isOpen(cookie)).toBe(true);
    later(12 * HOUR);
    expect(await isOpen(cookie)).toBe(false);
    expect(await ask("/admin/tools", cookie)).toBe(cookie);
  });
  test("is not prolonged by `/api/auth/session`, which reports its end", async () => {
    let cookie = await signIn();
    const readSession = async () => {
      const answer = await GET(new Request(`${ORIGIN}/api/auth/session`, { headers: { cookie } }), at("session"));
      cookie = sessionIn(answer) ?? "";
      return ((await answer.json()) as { expires?: string }).expires;
    };
    for (let minutes = 30; minutes < 11.5 * 60; minutes += 30) {
      later(minutes * MINUTE);
      expect(await readSession()).toBe(new Date(START + minutes * MINUTE + HOUR).toISOString());
    }
    later(11.5 * HOUR);
    expect(await readSession()).toBe(new Date(START + 12 * HOUR).toISOString());
    expect(await isOpen(cookie)).toBe(true);
    later(12 * HOUR);
    expect(await isOpen(cookie)).toBe(false);
    await readSession();
    expect(await isOpen(cookie)).toBe(false);
  });
  test("is not prolonged by polls, prefetches, changes and sign-in routes", async () => {
    const cookie = await signIn();
    later(30 * MINUTE);
    expect(await ask("/api/admin/overview", cookie)).toBe(cookie);
    expect(await ask("/admin/tools", cookie, { "next-router-prefetch": "1" })).toBe(cookie);
    expect(await ask("/api/admin/tools", cookie, { "x-user-active": "1" }, "PUT")).toBe(cookie);
    expect(await ask("/api/auth/csrf", cookie, { "x-user-active": "1" })).toBe(cookie);
    const renewed = await ask("/api/admin/overview", cookie, { "x-user-active": "1" });
    expect(renewed).not.toBe(cookie);
    later(80 * MINUTE);
    expect([await isOpen(cookie), await isOpen(renewed)]).toEqual([false, true]);
  });
  test("is not replaced within five minutes; an invalid cookie is never replaced", async () => {
    const cookie = await signIn();
    later(4 * MINUTE);
    expect(await ask("/admin/tools", cookie)).toBe(cookie);
    later(10 * MINUTE);
    expect(await ask("/admin/tools", `${cookie}x`)).toBe(`${cookie}x`);
  });
  test("is the last of two cookies of one name everywhere: Next's pages and next-auth take that one", async () => {
    const cookie = await signIn();
    const readSession = async (cookies: string) => {
      const headers = { cookie: cookies };
      const answer = await GET(new Request(`${ORIGIN}/api/auth/session`, { headers }), at("session"));
      return ((await answer.json()) as { user?: object }).user !== undefined;
    };
    const readOnPage = (cookies: string) => {
      const { value } = new NextRequest(ORIGIN, { headers: { cookie: cookies } }).cookies.get(SESSION_COOKIE) ?? {};
      return `${SESSION_COOKIE}=${value}` === cookie;
    };
    for (const cookies of [`${SESSION_COOKIE}=x; ${cookie}`, `${cookie}; ${SESSION_COOKIE}=x`]) {
      const isLast = cookies.endsWith(cookie);
      expect([await isOpen(cookies), await readSession(cookies), readOnPage(cookies)]).toEqual([
        isLast,
        isLast,
        isLast,
      ]);
    }
  });
  test("without its start time, from an older release, is invalid", async () => {
    const cookie = await signIn();
    const { decode, encode } = await import("next-auth/jwt");
    const secret = process.env["NEXTAUTH_SECRET"] ?? "";
    const { startedAt, ...older } = (await decode({ token: cookie.split("=")[1] ?? "", secret })) ?? {};
    expect(startedAt).toBe(START / 1000);
    const token = await encode({ token: older, secret, maxAge: SESSION_SECONDS.absolute });
    expect(await isOpen(`next-auth.session-token=${token}`)).toBe(false);
  });
});
