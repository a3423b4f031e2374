import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { GET as readMe } from "@/app/api/admin/me/route";
import { freshUser } from "@/lib/auth/openid/recheck";
import type { Env } from "@/lib/env";
import { claimOpenIdGrant, dropOpenIdGrant, keepOpenIdGrant } from "@/lib/store/people/openid-grants";
import { tokens } from "@/lib/store/people/tokens";
import { findOpenIdUser } from "@/lib/store/config/users";
import { allowOutbound } from "@/test/support/allow-outbound";
import { useDatabase } from "@/test/support/database";
import { openBrowser, REDIRECT_URI, type Returned } from "@/test/support/servers/openid-browser";
import { CLIENT, startOpenIdProvider, type OpenIdTestProvider } from "@/test/support/servers/openid-provider";
import { addPerson, ORIGIN } from "@/test/support/person";

const setting = vi.hoisted(() => ({ minutes: 15 }));
vi.mock("@/lib/env", async (original) => {
  const actual = await original<{ readonly env: Env }>();
  const get = (of: Env, name: keyof Env) => (name === "OIDC_RECHECK_MINUTES" ? setting.minutes : of[name]);
  return { ...actual, env: new Proxy(actual.env, { get } as ProxyHandler<Env>) };
});

const database = useDatabase();
let provider: OpenIdTestProvider;

beforeAll(async () => {
  provider = await startOpenIdProvider({ redirectUri: REDIRECT_URI, refreshTokens: true });
  // Before anything reads the environment.
  Object.assign(process.env, {
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    OIDC_ADMIN_GROUPS: "qm-admins",
    OIDC_EDITOR_GROUPS: "qm-editors",
  });
  allowOutbound(provider.host);
});
afterAll(() => provider.close());

const ADA = { email: "ada@example.com", name: "Ada Lovelace", preferred_username: "ada", groups: ["qm-admins"] };
beforeEach(async () => {
  await database.query("delete from token");
  await database.query("delete from person");
  provider.tamper(null);
  provider.accounts.clear();
  provider.accounts.set("sub-ada", ADA);
  await addPerson({ email: "root@example.com", name: "root", role: "admin" });
});

const signIn = () => openBrowser().signIn("sub-ada");
const ada = async () => (await findOpenIdUser(provider.issuer, "sub-ada"))!;
const minutesLater = (minutes: number) =>
  database.query(`update person set "openIdCheckedAt" = "openIdCheckedAt" - make_interval(mins => $1::int)`, [minutes]);
const open = async (headers: Record<string, string>) => {
  const answer = await readMe(new Request(`${ORIGIN}/api/admin/me`, { headers }));
  return answer.status === 200 ? ((await answer.json()) as { role: string }).role : answer.status;
};
const me = ({ session }: Returned) => open({ cookie: session ?? "" });
const tokenOf = async (role: "admin" | "editor" = "admin") => {
  const actor = { kind: "user", name: (await ada()).name, role: "admin" } as const;
  const { token } = await tokens.create(actor, { name: "ci", role, expiresAt: null, enabled: true });
  return { authorization: `Bearer ${token}` };
};

describe("the session of someone from the OpenID provider", () => {
  test("continues when the provider confirms it after 15 minutes, requested once for many requests", async () => {
    const returned = await signIn();
    let asked = 0;
    provider.tamper(async (tokens_) => {
      asked += 1;
      return tokens_;
    });
    await minutesLater(16);
    expect(await Promise.all(Array.from({ length: 8 }, () => me(returned)))).toEqual(Array(8).fill("admin"));
    expect(asked).toBe(1);
    // The refresh token was replaced: the next one works too.
    await minutesLater(16);
    expect(await me(returned)).toBe("admin");
  });
  test("ends within 15 minutes when the group is lost there, and so do their access tokens", async () => {
    const returned = await signIn();
    const bearer = await tokenOf();
    provider.accounts.set("sub-ada", { ...ADA, groups: ["others"] });
    await minutesLater(7);
    expect(await me(returned)).toBe("admin");
    await minutesLater(9);
    expect(await me(returned)).toBe(401);
    expect(await open(bearer)).toBe(401);
    provider.accounts.set("sub-ada", ADA);
    expect(await me(returned)).toBe(401);
    expect(await me(await signIn())).toBe("admin");
    expect(await open(bearer)).toBe("admin");
  });
  test("is confirmed as often as OIDC_RECHECK_MINUTES says", async () => {
    setting.minutes = 40;
    onTestFinished(() => void (setting.minutes = 15));
    const returned = await signIn();
    provider.accounts.set("sub-ada", { ...ADA, groups: ["others"] });
    await minutesLater(39);
    expect(await me(returned)).toBe("admin");
    await minutesLater(2);
    expect(await me(returned)).toBe(401);
  });
  test("ends when the role is another now, and access tokens have the lesser role", async () => {
    const returned = await signIn();
    const bearer = await tokenOf();
    provider.accounts.set("sub-ada", { ...ADA, groups: ["qm-editors"] });
    await minutesLater(16);
    expect([await me(returned), await open(bearer)]).toEqual([401, "editor"]);
    expect(await me(await signIn())).toBe("editor");
  });
  test("ends when the provider refuses the refresh token", async () => {
    const returned = await signIn();
    provider.accounts.delete("sub-ada");
    await minutesLater(16);
    expect(await me(returned)).toBe(401);
  });
  test("ends when what the provider answers proves nothing", async () => {
    const returned = await signIn();
    provider.tamper(async () => ({ id_token: "no token" }));
    await minutesLater(16);
    expect(await me(returned)).toBe(401);
    provider.tamper(null);
    await database.query(`update person set "openIdClaimedAt" = null`);
    // The refresh token that the failed answer used up is worth nothing: sign in again.
    expect(await me(returned)).toBe(401);
    expect(await me(await signIn())).toBe("admin");
  });
  test("continues when a new sign-in overtakes a check that the provider refuses", async () => {
    await signIn();
    const user = await ada();
    expect(await claimOpenIdGrant(user.id, 1)).not.toBe("unusable");
    const returned = await signIn();
    expect(await dropOpenIdGrant(user.id, 1)).toBe(false);
    expect(await me(returned)).toBe("admin");
  });
  test("continues when the userinfo endpoint answers again, although the refresh token was replaced meanwhile", async () => {
    const returned = await signIn();
    const failing = {
      get groups(): never {
        throw new Error("The directory does not answer.");
      },
    };
    provider.tamper(async (answered) => {
      provider.accounts.set("sub-ada", failing);
      return answered;
    });
    await minutesLater(16);
    expect(await me(returned)).toBe(401);
    provider.tamper(null);
    provider.accounts.set("sub-ada", ADA);
    const afterPause = Date.now() + 15_001;
    expect(await freshUser(await ada(), afterPause)).not.toBeNull();
    expect(await me(returned)).toBe("admin");
  });
  test("is checked at the userinfo endpoint when there is no refresh token", async () => {
    const returned = await signIn();
    const token = await accessToken();
    await keepOpenIdGrant(
      (await ada()).id,
      { refreshToken: null, accessToken: token, nonce: "" },
      Date.now() - 16 * 60_000,
    );
    expect(await me(returned)).toBe("admin");
    provider.accounts.set("sub-ada", { ...ADA, groups: [] });
    await minutesLater(16);
    expect(await me(returned)).toBe(401);
  });
  test("ends after 15 minutes when there is nothing to ask with", async () => {
    const returned = await signIn();
    await keepOpenIdGrant((await ada()).id, { refreshToken: null, accessToken: null, nonce: "" }, Date.now());
    await minutesLater(14);
    expect(await me(returned)).toBe("admin");
    await minutesLater(2);
    expect(await me(returned)).toBe(401);
  });

  async function accessToken(): Promise<string> {
    let token = "";
    provider.tamper(async (answered) => {
      token = String(answered["access_token"]);
      return answered;
    });
    await signIn();
    provider.tamper(null);
    return token;
  }
});

test("a refreshed ID token of another subject, or for another sign-in, is refused", async () => {
  for (const change of [{ sub: "sub-eve" }, { nonce: "another" }, { at_hash: "x" }]) {
    const returned = await signIn();
    const claims = { iss: provider.issuer, aud: CLIENT.id, sub: "sub-ada", groups: ["qm-admins"], email: "a@b.c" };
    const times = { iat: Math.floor(Date.now() / 1000), exp: Math.floor(Date.now() / 1000) + 60 };
    provider.tamper(async (answered) => ({
      ...answered,
      id_token: await provider.sign({ ...claims, ...times, ...change }),
    }));
    await minutesLater(16);
    expect(await me(returned)).toBe(401);
    provider.tamper(null);
  }
});

test("the stored tokens are encrypted, and in no list, history or export", async () => {
  await signIn();
  const [row] = await database.query<{ grant: string }>(
    `select "openIdGrant" as grant from person where issuer is not null`,
  );
  expect(row?.grant).toMatch(/^v1\./);
  const shown = JSON.stringify(await database.query("select before, after from change"));
  expect(shown).not.toContain("openId");
});

test("the use of an access token rechecks its owner in parallel", async () => {
  await signIn();
  const bearer = await tokenOf("editor");
  provider.accounts.set("sub-ada", { ...ADA, groups: ["others"] });
  await minutesLater(16);
  expect(await open(bearer)).toBe("editor");
  await expect.poll(async () => (await ada()).openIdRefused, { timeout: 10_000 }).toBe(true);
  expect(await open(bearer)).toBe(401);
});
