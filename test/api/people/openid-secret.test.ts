import { afterAll, beforeAll, expect, test } from "vitest";
import { allowOutbound } from "@/test/support/allow-outbound";
import { useDatabase } from "@/test/support/database";
import { openBrowser, REDIRECT_URI } from "@/test/support/servers/openid-browser";
import { CLIENT, startOpenIdProvider, type OpenIdTestProvider } from "@/test/support/servers/openid-provider";

useDatabase();
let provider: OpenIdTestProvider;

beforeAll(async () => {
  provider = await startOpenIdProvider({ redirectUri: REDIRECT_URI, secretIn: "client_secret_post" });
  // Before anything reads the environment.
  Object.assign(process.env, {
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    OIDC_EDITOR_GROUPS: "editors",
  });
  allowOutbound(provider.host);
  provider.accounts.set("sub-ada", { email: "ada@example.com", groups: ["editors"] });
});
afterAll(() => provider.close());

test("a provider that takes the client's secret only in the body gets it there", async () => {
  expect((await openBrowser().signIn("sub-ada")).error).toBeNull();
});

test("a token answer without the type Bearer is refused", async () => {
  for (const type of [undefined, "mac"]) {
    provider.tamper(async (tokens) => ({ ...tokens, token_type: type }));
    expect((await openBrowser().signIn("sub-ada")).error).toBe("OpenIdNotProven");
  }
});
