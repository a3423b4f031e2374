import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseClaimPath } from "@/lib/access/model/claims";
import { issuerKeys } from "@/lib/auth/agents/issuer-keys";
import { admit } from "@/lib/auth/openid/admit";
import { openIdDiscovery } from "@/lib/auth/openid/discovery";
import { proveAgain, redeem, type OpenIdProvider, type Proven } from "@/lib/auth/openid/redeem";
import { outbound } from "@/lib/outbound/fetch";
import { drain } from "@/lib/server/front/front";
import { findOpenIdUser } from "@/lib/store/config/users";
import { save, supportDocument } from "@/test/api/agents-world";
import { answerAs, authorizationQuery, begin, openGateway, pkce, type Gateway } from "@/test/api/oauth/world";
import { allowOutbound } from "@/test/support/allow-outbound";
import { useDatabase } from "@/test/support/database";
import { addPerson, cookieOf } from "@/test/support/person";
import { openBrowser, REDIRECT_URI } from "@/test/support/servers/openid-browser";
import {
  CLIENT,
  startOpenIdProvider,
  type OpenIdTestProvider,
  type ProviderOptions,
} from "@/test/support/servers/openid-provider";

// The claims of Entra, Okta and Keycloak as docs/reference/client-sign-in.md#identity-providers states them, played by
// oidc-provider: who gets a role, which agent their client may act as, and what a refresh learns.

useDatabase();
let gateway: Gateway;
const closing: OpenIdTestProvider[] = [];

const TEAM = "6c9c1a0e-5d5b-4f39-9a0a-3f6f0f0f7a11";
const STAFF = "0b7f3a55-1c2d-4e5f-8a9b-aaaaaaaaaaaa";

beforeAll(async () => {
  await addPerson({ email: "root@example.com", name: "root", role: "admin" });
  gateway = await openGateway();
});
afterAll(async () => {
  await drain(gateway.server, 0);
  await Promise.all(closing.map((provider) => provider.close()));
});

/** A provider with one person, and Quartermaster's settings for it. */
async function play(
  claims: Record<string, unknown>,
  settings: { readonly claim: string; readonly editors: string },
  options: Partial<ProviderOptions> = {},
): Promise<{ theirs: OpenIdTestProvider; ours: OpenIdProvider }> {
  const theirs = await startOpenIdProvider({ redirectUri: REDIRECT_URI, refreshTokens: true, ...options });
  closing.push(theirs);
  theirs.accounts.set("ada", claims);
  allowOutbound(theirs.host);
  const path = parseClaimPath(settings.claim);
  if ("problem" in path) throw new Error(path.problem);
  const { issuer } = theirs;
  return {
    theirs,
    ours: {
      settings: {
        issuer,
        clientId: CLIENT.id,
        clientSecret: CLIENT.secret,
        name: "Acme",
        scopes: "openid profile email",
        groupsClaim: path,
        groups: { admin: [], editor: [settings.editors], auditor: [] },
      },
      keys: issuerKeys(outbound, Date.now),
      fetch: outbound,
      at: await openIdDiscovery(outbound, Date.now)(issuer),
    },
  };
}

/** Ada signs in there, up to what the provider proves of her. */
async function prove({ settings, at, ...rest }: OpenIdProvider): Promise<Proven> {
  const { verifier, challenge } = pkce();
  const query = new URLSearchParams({
    response_type: "code",
    client_id: CLIENT.id,
    redirect_uri: REDIRECT_URI,
    scope: settings.scopes,
    state: "the-state",
    nonce: "the-nonce",
    code_challenge: challenge,
    code_challenge_method: "S256",
  });
  const back = await openBrowser().visit(new URL(`${at.authorization_endpoint}?${query}`), "ada");
  const { code, state, iss } = Object.fromEntries(back.searchParams);
  const sent = { state: "the-state", nonce: "the-nonce", codeVerifier: verifier, redirectUri: REDIRECT_URI };
  return redeem({ settings, at, ...rest }, { code, state, iss }, sent, Date.now());
}

/** The status with which Ada's consent for the agent reader is answered. */
async function consent({ settings }: OpenIdProvider, ownerGroup: string): Promise<number> {
  const document = supportDocument() as { agents: { name: string }[] };
  const agents = document.agents.map((row) => (row.name === "reader" ? { ...row, ownerGroups: [ownerGroup] } : row));
  await save({ ...document, agents });
  const person = await findOpenIdUser(settings.issuer, "ada");
  if (person === null) throw new Error("Ada was not stored.");
  const session = await cookieOf(person);
  const { uid, cookies } = await begin(gateway, authorizationQuery(pkce().challenge));
  return (await answerAs(uid, { agent: "reader", session, cookies })).status;
}

const roleOf = async ({ settings }: OpenIdProvider) => (await findOpenIdUser(settings.issuer, "ada"))?.role;
const email = "ada@example.com";

describe("Microsoft Entra ID", () => {
  it("states object ids of groups, and a user name instead of an e-mail address", async () => {
    const claims = { preferred_username: "ada@corp.example", groups: [STAFF, TEAM] };
    const { ours } = await play(claims, { claim: "groups", editors: STAFF }, { claimsInIdToken: true });
    expect(await admit(await prove(ours), ours.settings, Date.now())).toBeNull();
    expect(await findOpenIdUser(ours.settings.issuer, "ada")).toMatchObject({
      role: "editor",
      email: "ada@corp.example",
    });
    expect(await consent(ours, TEAM)).toBe(200);
    expect(await consent(ours, TEAM.toUpperCase())).toBe(403);
  });

  it("leaves the groups out for more than 200: nobody gets in by them, and app roles have no such limit", async () => {
    const claims = { email, _claim_names: { groups: "src1" }, roles: ["Quartermaster.Editor", "Quartermaster.Team"] };
    const byGroups = await play(claims, { claim: "groups", editors: STAFF }, { claimsInIdToken: true });
    expect(await admit(await prove(byGroups.ours), byGroups.ours.settings, Date.now())).toBe("no_group");
    const { ours } = await play(claims, { claim: "roles", editors: "Quartermaster.Editor" }, { claimsInIdToken: true });
    expect(await admit(await prove(ours), ours.settings, Date.now())).toBeNull();
    expect(await consent(ours, "Quartermaster.Team")).toBe(200);
  });
});

describe("Okta", () => {
  it.each([true, false])(
    "states names of groups, in the ID token (%s) or at the userinfo endpoint",
    async (inToken) => {
      const claims = { email, groups: ["Everyone", "qm-editors", "Tier 1"] };
      const { ours } = await play(claims, { claim: "groups", editors: "qm-editors" }, { claimsInIdToken: inToken });
      expect(await admit(await prove(ours), ours.settings, Date.now())).toBeNull();
      expect(await roleOf(ours)).toBe("editor");
      expect(await consent(ours, "Tier 1")).toBe(200);
    },
  );

  it("states nothing without a groups claim, and then nobody gets in", async () => {
    const { ours } = await play({ email }, { claim: "groups", editors: "qm-editors" });
    expect(await admit(await prove(ours), ours.settings, Date.now())).toBe("no_group");
  });
});

describe("Keycloak", () => {
  it("states groups with their full path, which must match whole", async () => {
    const claims = { email, groups: ["/qm/editors", "/team"] };
    const { ours } = await play(claims, { claim: "groups", editors: "/qm/editors" }, { claimsInIdToken: true });
    expect(await admit(await prove(ours), ours.settings, Date.now())).toBeNull();
    expect(await consent(ours, "/team")).toBe(200);
    expect(await consent(ours, "team")).toBe(403);
  });

  it("states realm roles in a nested claim", async () => {
    const claims = { email, realm_access: { roles: ["offline_access", "qm-editor", "team"] } };
    const { ours } = await play(claims, { claim: "realm_access.roles", editors: "qm-editor" });
    expect(await admit(await prove(ours), ours.settings, Date.now())).toBeNull();
    expect(await consent(ours, "team")).toBe(200);
  });
});

describe("a later check", () => {
  const settings = { claim: "groups", editors: "qm-editors" };
  const again = async (ours: OpenIdProvider, { grant }: Proven) =>
    proveAgain(ours, "ada", grant, Date.now(), async () => {});

  it("learns of a lost group and of a disabled person by the provider's refresh token", async () => {
    const { theirs, ours } = await play({ email, groups: ["qm-editors"] }, settings, { claimsInIdToken: true });
    const proven = await prove(ours);
    expect(proven.grant.refreshToken).not.toBeNull();
    theirs.accounts.set("ada", { email, groups: [] });
    const later = await again(ours, proven);
    expect(typeof later === "string" ? later : await admit(later, ours.settings, Date.now(), "recheck")).toBe(
      "no_group",
    );
    theirs.accounts.delete("ada");
    expect(await again(ours, typeof later === "string" ? proven : later)).toBe("refused");
  });

  it("learns nothing without one from a provider that states groups in ID tokens only", async () => {
    const { theirs, ours } = await play({ email, groups: ["qm-editors"] }, settings, {
      claimsInIdToken: true,
      refreshTokens: false,
    });
    const proven = await prove(ours);
    expect(proven.grant.refreshToken).toBeNull();
    theirs.accounts.set("ada", { email });
    expect(await again(ours, proven)).toBe("unknown");
  });
});
