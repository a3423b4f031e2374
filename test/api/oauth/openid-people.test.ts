import { decodeJwt } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { save, supportDocument } from "@/test/api/agents-world";
import {
  authorizationQuery,
  authorize,
  listStatus,
  useGateway,
  pkce,
  redemption,
  refreshing,
  token,
} from "@/test/api/oauth/world";
import { allowOutbound } from "@/test/support/allow-outbound";
import { useDatabase } from "@/test/support/database";
import { addPerson } from "@/test/support/person";
import { openBrowser, REDIRECT_URI } from "@/test/support/servers/openid-browser";
import { CLIENT, startOpenIdProvider, type OpenIdTestProvider } from "@/test/support/servers/openid-provider";

const database = useDatabase();
let provider: OpenIdTestProvider;

const ADA = { email: "ada@example.com", name: "Ada Lovelace", preferred_username: "ada", groups: ["qm-admins"] };

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
  await addPerson({ email: "root@example.com", name: "root", role: "admin" });
  await save(supportDocument());
});
const gateway = useGateway();
afterAll(async () => {
  await provider.close();
});
beforeEach(() => {
  provider.tamper(null);
  provider.accounts.clear();
  provider.accounts.set("sub-ada", ADA);
});

/** Ada signs in at her provider and connects the client as the agent reader. */
async function connect(): Promise<{ access: string; refresh: string }> {
  const { session } = await openBrowser().signIn("sub-ada");
  const { challenge, verifier } = pkce();
  const sent = await authorize(gateway, authorizationQuery(challenge), { agent: "reader", session: session ?? "" });
  const { json } = await token(gateway, redemption(sent.searchParams.get("code") ?? "", verifier));
  return { access: String(json["access_token"]), refresh: String(json["refresh_token"]) };
}

/** Lets minutes pass since the provider's last confirmation. */
const minutesLater = (minutes: number) =>
  database.query(`update person set "openIdCheckedAt" = "openIdCheckedAt" - make_interval(mins => $1::int)`, [minutes]);

describe("a refresh of a person from the OpenID provider", () => {
  it("asks the provider once for many refreshes, and says how the person signed in", async () => {
    const connections = [await connect(), await connect()];
    let asked = 0;
    provider.tamper(async (tokens) => {
      asked += 1;
      return tokens;
    });
    await minutesLater(16);
    const answers = await Promise.all(connections.map(({ refresh }) => token(gateway, refreshing(refresh))));
    expect([answers.map(({ status }) => status), asked]).toEqual([[200, 200], 1]);
    expect(decodeJwt(String(answers[0]?.json["access_token"]))["amr"]).toEqual(["fed"]);
  });

  it("ends the connection and its tokens when the group is lost there", async () => {
    const { access, refresh } = await connect();
    provider.accounts.set("sub-ada", { ...ADA, groups: ["others"] });
    // A token of 10 minutes may be issued for 5 minutes after a check: then no token outlives the check by more than 15.
    await minutesLater(6);
    expect((await token(gateway, refreshing(refresh))).json).toMatchObject({ error: "invalid_grant" });
    expect(await listStatus(gateway, access)).toBe(401);
    expect(await database.query(`select from connection`)).toEqual([]);
  });

  it("is not asked for again within 5 minutes of a check", async () => {
    const { refresh } = await connect();
    provider.accounts.delete("sub-ada");
    await minutesLater(2);
    expect((await token(gateway, refreshing(refresh))).status).toBe(200);
  });

  it("fails for a person whom the provider does not know any more", async () => {
    const { refresh } = await connect();
    provider.accounts.delete("sub-ada");
    await minutesLater(16);
    expect(await token(gateway, refreshing(refresh))).toMatchObject({ status: 400, json: { error: "invalid_grant" } });
  });

  it("sees the groups that a recheck stores: an agent whose group was lost serves no more", async () => {
    const owned = supportDocument() as { agents: { name: string }[] };
    const agents = owned.agents.map((row) => (row.name === "reader" ? { ...row, ownerGroups: ["tier-1"] } : row));
    await save({ ...owned, agents });
    provider.accounts.set("sub-ada", { ...ADA, groups: ["qm-editors", "tier-1"] });
    const { access, refresh } = await connect();
    expect(await listStatus(gateway, access)).toBe(200);
    provider.accounts.set("sub-ada", { ...ADA, groups: ["qm-editors"] });
    await minutesLater(16);
    expect((await token(gateway, refreshing(refresh))).json).toMatchObject({ error: "invalid_grant" });
    expect(await listStatus(gateway, access)).toBe(401);
    await save(supportDocument());
  });

  // The last one: after a failure, a process asks about a person only 15 s later.
  it("uses up no refresh token while the provider answers nothing that proves the person", async () => {
    const { refresh } = await connect();
    provider.tamper(async () => {
      throw new Error("The provider is down.");
    });
    await minutesLater(16);
    expect((await token(gateway, refreshing(refresh))).json).toMatchObject({ error: "temporarily_unavailable" });
    provider.tamper(null);
    await database.query(`update person set "openIdClaimedAt" = null, "openIdCheckedAt" = now()`);
    expect((await token(gateway, refreshing(refresh))).status).toBe(200);
  });
});
