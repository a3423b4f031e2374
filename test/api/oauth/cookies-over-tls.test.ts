import { beforeAll, expect, it, vi } from "vitest";
import { POST as answerRequestRoute } from "@/app/api/admin/connection-requests/[id]/route";
import { oauthWith } from "@/lib/agents/oauth/server";
import { save, supportDocument } from "@/test/api/agents-world";
import {
  authorizationQuery,
  CALLBACK,
  CLIENT,
  cookieHeader,
  pkce,
  takeCookies,
  type Cookies,
} from "@/test/api/oauth/world";
import { useDatabase } from "@/test/support/database";
import { signIn } from "@/test/support/person";

// Over TLS, the cookies of a sign-in travel over TLS only, and another host of the domain cannot set the one that binds the
// consent to its browser (RFC 6265bis, 4.1.3).

vi.stubEnv("NEXTAUTH_URL", "https://tools.example");
const ORIGIN = "https://tools.example";

useDatabase();
beforeAll(() => save(supportDocument()));

const document = { client_id: CLIENT, redirect_uris: [CALLBACK] };
const handler = oauthWith(async () => ({
  status: 200,
  headers: {},
  body: new TextEncoder().encode(JSON.stringify(document)),
  ms: 1,
}));

async function answer(uid: string, cookies: Cookies): Promise<Response> {
  const { cookie } = await signIn("admin");
  const headers = {
    cookie: `${cookie}; ${cookieHeader(cookies)}`,
    origin: ORIGIN,
    "content-type": "application/json",
  };
  const request = new Request(`${ORIGIN}/api/admin/connection-requests/${uid}`, {
    method: "POST",
    headers,
    body: JSON.stringify({ agent: "reader" }),
  });
  return answerRequestRoute(request, { params: Promise.resolve({ id: uid }) });
}

it("a sign-in works with prefixed cookies, and the consent with no other", async () => {
  const query = authorizationQuery(pkce().challenge, { resource: `${ORIGIN}/mcp` });
  const began = await handler(new Request(`${ORIGIN}/oauth/authorize?${query}`));
  const uid = began.headers.get("location")?.replace("/connect/", "") ?? "";
  const set = began.headers.getSetCookie();
  const named = set.map((line) => line.slice(0, line.indexOf("=")));
  expect(named).toEqual([`__Host-qm_connect_${uid}`, "__Secure-qm_resume"]);
  for (const line of set) expect(line).toMatch(/; samesite=lax; secure; httponly$/i);
  expect(set[0]).toMatch(/; path=\/;/);
  expect(set[0]).not.toMatch(/domain=/i);

  const cookies: Cookies = new Map();
  takeCookies(began, cookies);
  expect((await answer(uid, new Map([[`qm_connect_${uid}`, uid]]))).status).toBe(403);
  const answered = await answer(uid, cookies);
  const { location } = (await answered.json()) as { location: string };
  const back = await handler(new Request(location, { headers: { cookie: cookieHeader(cookies) } }));
  expect(new URL(back.headers.get("location") ?? "").searchParams.get("code")).toMatch(/./);
  for (const line of back.headers.getSetCookie()) expect(line).toMatch(/^__(Secure|Host)-qm_[\w-]+=.*; secure/i);
});
