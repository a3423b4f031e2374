import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openIdDiscovery } from "@/lib/auth/openid/discovery";
import { outboundClient } from "@/lib/outbound/fetch";
import { findOpenIdUser } from "@/lib/store/config/users";
import { allowOutbound } from "@/test/support/allow-outbound";
import { useDatabase } from "@/test/support/database";
import { openBrowser, REDIRECT_URI } from "@/test/support/servers/openid-browser";
import { CLIENT, startOpenIdProvider, type OpenIdTestProvider } from "@/test/support/servers/openid-provider";

const database = useDatabase();

describe("the discovery document of a provider", () => {
  let answer: { status: number; text: string };
  let asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.writeHead(answer.status, { location: "/elsewhere" }).end(answer.text);
  });
  let issuer = "";
  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}/realms/acme`;
  });
  afterAll(() => server.close());

  const good = () => ({
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
  });
  const serve = (document: unknown, status = 200) => {
    answer = { status, text: typeof document === "string" ? document : JSON.stringify(document) };
    asked = [];
  };
  /** The memory of a new process, with an injected clock. */
  const discovery = (now = () => 0, allow = [new URL(issuer).host]) =>
    openIdDiscovery(outboundClient({ allow: () => allow }), now);

  test("is below the issuer, with or without a slash, and requested once in ten minutes", async () => {
    serve(good());
    let now = 0;
    const find = discovery(() => now);
    await Promise.all([find(issuer), find(issuer)]);
    now = 10 * 60_000 - 1;
    expect((await find(issuer)).token_endpoint).toBe(`${issuer}/token`);
    expect(asked).toEqual(["/realms/acme/.well-known/openid-configuration"]);
    now += 1;
    serve({ ...good(), issuer: `${issuer}/` });
    await discovery()(`${issuer}/`);
    await expect(find(issuer)).rejects.toThrow("has no discovery document (status 200)");
    expect(asked).toEqual(Array(2).fill("/realms/acme/.well-known/openid-configuration"));
  });
  test.each<[string, () => void]>([
    ["of another issuer", () => serve({ ...good(), issuer: "https://evil.example" })],
    ["of our issuer with a slash", () => serve({ ...good(), issuer: `${issuer}/` })],
    ["without a place for keys", () => serve({ ...good(), jwks_uri: undefined })],
    ["with a place that is none", () => serve({ ...good(), token_endpoint: "file:///etc/passwd" })],
    ["that is a redirect", () => serve(good(), 302)],
    ["that is an error", () => serve(good(), 503)],
    ["that is a page", () => serve("<html>")],
    ["with an issuer that it names twice", () => serve(JSON.stringify(good()).replace("{", '{"issuer":"x",'))],
    ["of more than 256 KiB", () => serve({ ...good(), filler: "x".repeat(256 * 1024) })],
  ])("is not believed %s", async (_what, respond) => {
    respond();
    await expect(discovery()(issuer)).rejects.toMatchObject({ name: "ProviderUnavailable" });
  });
  test("is not requested where OUTBOUND_ALLOW does not allow it", async () => {
    serve(good());
    await expect(discovery(() => 0, [])(issuer)).rejects.toMatchObject({ name: "ProviderUnavailable" });
    expect(asked).toEqual([]);
  });
  test("that could not be read is requested again after five seconds, not at every click", async () => {
    serve("", 503);
    let now = 0;
    const find = discovery(() => now);
    await expect(find(issuer)).rejects.toThrow("did not answer as an OpenID provider");
    serve(good());
    now = 4_999;
    await expect(find(issuer)).rejects.toThrow("did not answer as an OpenID provider");
    expect(asked).toEqual([]);
    now = 5_000;
    expect((await find(issuer)).issuer).toBe(issuer);
  });
  test("of an issuer on https may name no plain-text address", async () => {
    const https = issuer.replace("http:", "https:");
    const document = { ...good(), issuer: https, authorization_endpoint: `${https}/a`, jwks_uri: `${https}/j` };
    const find = openIdDiscovery(
      async () => ({ status: 200, headers: {}, body: Buffer.from(JSON.stringify(document)), ms: 0 }),
      () => 0,
    );
    await expect(find(https)).rejects.toThrow("does not use https");
  });
});

describe("a provider that returns groups and e-mail at its userinfo endpoint only", () => {
  let provider: OpenIdTestProvider;
  beforeAll(async () => {
    provider = await startOpenIdProvider({ redirectUri: REDIRECT_URI });
    // Before anything reads the environment.
    Object.assign(process.env, {
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
      OIDC_EDITOR_GROUPS: "editors",
      OIDC_GROUPS_CLAIM: '["https://acme.example/roles"][0].teams',
    });
    allowOutbound(provider.host);
    const roles = [{ teams: ["editors"] }];
    provider.accounts.set("sub-ada", { email: "ada@example.com", "https://acme.example/roles": roles });
  });
  afterAll(() => provider.close());

  test("is requested there, and the groups are found by their claim path", async () => {
    expect((await openBrowser().signIn("sub-ada")).error).toBeNull();
    expect(await findOpenIdUser(provider.issuer, "sub-ada")).toMatchObject({ role: "editor", name: "ada" });
  });
  test("and that answers for another subject is refused", async () => {
    provider.tamper(async (tokens) => ({ ...tokens, access_token: "of nobody" }));
    expect((await openBrowser().signIn("sub-ada")).error).toBe("OpenIdNotProven");
    provider.tamper(null);
  });
  test("and that fails during the sign-in is reported as unreachable, and no session begins", async () => {
    const browser = openBrowser();
    const back = await browser.visit(await browser.start(), "sub-ada");
    const before = await database.query("select * from person");
    await provider.close();
    expect(await browser.comeBack(back)).toMatchObject({ session: null, path: "/sign-in", error: "OpenIdUnreachable" });
    expect(await database.query("select * from person")).toEqual(before);
  });
});
