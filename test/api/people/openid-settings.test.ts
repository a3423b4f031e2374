import { beforeEach, describe, expect, test, vi } from "vitest";
import { openBrowser } from "@/test/support/servers/openid-browser";

const COMPLETE = {
  OIDC_ISSUER: "http://127.0.0.1:9/",
  OIDC_CLIENT_ID: "quartermaster",
  OIDC_CLIENT_SECRET: "secret",
  OIDC_ADMIN_GROUPS: "admins",
};
type Settings = Readonly<Record<string, string>>;

/** The settings as a process that starts with this environment reads them. */
async function settingsOf(environment: Settings) {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  const { openIdSettings } = await import("@/lib/auth/openid/settings");
  return openIdSettings();
}

beforeEach(() => vi.resetModules());

describe("the settings of OpenID sign-in", () => {
  test("are none when none is set, and empty is not set", async () => {
    expect(await settingsOf({ OIDC_ISSUER: "", OIDC_NAME: "", OIDC_ADMIN_GROUPS: "" })).toBeNull();
  });
  test("have a default name, default scopes and a default claim", async () => {
    expect(await settingsOf(COMPLETE)).toMatchObject({
      name: "OpenID Connect",
      scopes: "openid profile email",
      groupsClaim: { steps: ["groups"] },
      groups: { admin: ["admins"], editor: [], auditor: [] },
    });
  });
  test.each<[string, Settings, string]>([
    ["half set", { OIDC_ISSUER: COMPLETE.OIDC_ISSUER }, "OIDC_CLIENT_ID: must be set, because OIDC_ISSUER is"],
    ["only groups", { OIDC_AUDITOR_GROUPS: "a" }, "OIDC_ISSUER: must be set, because OIDC_AUDITOR_GROUPS is"],
    ["an empty secret", { ...COMPLETE, OIDC_CLIENT_SECRET: "" }, "OIDC_CLIENT_SECRET: must be set"],
    ["no group", { ...COMPLETE, OIDC_ADMIN_GROUPS: " , " }, "without one nobody can sign in"],
    ["a list that is none", { ...COMPLETE, OIDC_ADMIN_GROUPS: '["a"' }, "OIDC_ADMIN_GROUPS: must be names"],
    ["plain text", { ...COMPLETE, OIDC_ISSUER: "http://id.example.com" }, "OIDC_ISSUER: must be an https:// URL"],
    ["an issuer with a query", { ...COMPLETE, OIDC_ISSUER: "https://a.example/?x" }, "OIDC_ISSUER: must be"],
    ["no scope openid", { ...COMPLETE, OIDC_SCOPES: "email" }, "OIDC_SCOPES: must hold the word `openid`"],
    ["a claim path that is none", { ...COMPLETE, OIDC_GROUPS_CLAIM: "a..b" }, "OIDC_GROUPS_CLAIM: empty key"],
  ])("stop the start with a sentence: %s", async (_what, environment, sentence) => {
    await expect(settingsOf(environment)).rejects.toThrow(sentence);
  });
});

describe("a provider that does not answer", () => {
  test("is reported as unreachable at the start of a sign-in and at its return", async () => {
    Object.assign(process.env, COMPLETE);
    const address = await openBrowser().start();
    expect(`${address.pathname}${address.search}`).toBe("/sign-in?error=OpenIdUnreachable");
    const back = new URL("http://127.0.0.1:3000/api/auth/callback/openid?code=x&state=y");
    expect(await openBrowser().comeBack(back)).toMatchObject({ session: null, error: "OpenIdUnreachable" });
  });
});

test("where there is no provider, there is no such route", async () => {
  for (const name of Object.keys(COMPLETE)) vi.stubEnv(name, "");
  const { GET: get } = await import("@/app/api/auth/[...nextauth]/route");
  const params = Promise.resolve({ nextauth: ["callback", "openid"] });
  const answer = await get(new Request("http://127.0.0.1:3000/api/auth/callback/openid?code=x"), { params });
  expect([answer.status, answer.headers.getSetCookie().filter((text) => text.includes("session-token"))]).toEqual([
    400,
    [],
  ]);
});
