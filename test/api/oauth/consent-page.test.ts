import { NextRequest } from "next/server";
import { afterAll, beforeAll, expect, it } from "vitest";
import { POST as answerRoute } from "@/app/api/admin/connection-requests/[id]/route";
import { drain } from "@/lib/server/front/front";
import { proxy } from "@/proxy";
import { save, supportDocument } from "@/test/api/agents-world";
import {
  answerAs,
  authorizationQuery,
  begin,
  cookieHeader,
  openGateway,
  pkce,
  type Gateway,
} from "@/test/api/oauth/world";
import { useDatabase } from "@/test/support/database";
import { ORIGIN, signIn } from "@/test/support/person";

// Other sites can neither frame the pages of a sign-in nor send a person's answer (RFC 9700, 4.7 and 4.16).

useDatabase();
let gateway: Gateway;

beforeAll(async () => {
  await save(supportDocument());
  gateway = await openGateway();
});
afterAll(() => drain(gateway.server, 0));

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
