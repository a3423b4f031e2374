import { describe, expect, it } from "vitest";
import { discoverUpstream, type LinkableSource } from "@/lib/calls/linked-accounts/discovery";
import { sourceInput } from "@/lib/resources/source";
import type { Outbound } from "@/lib/outbound/fetch";

const URL_OF = "https://mail.example/mcp";
const PLACE = "https://mail.example/.well-known/oauth-protected-resource/mcp";
const SERVER = "https://login.example";
const RESOURCE = { resource: URL_OF, authorization_servers: [SERVER], scopes_supported: ["mail:read"] };
const METADATA = {
  issuer: SERVER,
  authorization_endpoint: `${SERVER}/auth`,
  token_endpoint: `${SERVER}/token`,
  code_challenge_methods_supported: ["S256"],
};

let count = 0;
/** Another name, so that no test reads the cache of another. */
function sourceOf(auth: object = {}, kind: "mcp" | "openapi" = "mcp"): LinkableSource {
  count += 1;
  const url = `${URL_OF}?${count}`;
  return sourceInput.parse({
    name: "mail",
    kind,
    url,
    auth: { mode: "user", resource: URL_OF, ...auth },
  }) as LinkableSource;
}

type Answers = Readonly<Record<string, object | string | undefined>>;

/** Answers by address; any other address is a 404. A text is a `WWW-Authenticate` with a 401. */
function sending(answers: Answers, asked: string[] = []): Outbound {
  return async ({ url }) => {
    asked.push(url);
    const answer = answers[url];
    const json = { "content-type": "application/json" };
    if (typeof answer === "string")
      return { status: 401, headers: { "www-authenticate": answer }, body: new Uint8Array(), ms: 1 };
    const body = answer === undefined ? new Uint8Array() : new TextEncoder().encode(JSON.stringify(answer));
    return { status: answer === undefined ? 404 : 200, headers: json, body, ms: 1 };
  };
}

const OAUTH = `${SERVER}/.well-known/oauth-authorization-server`;
const OPENID = `${SERVER}/.well-known/openid-configuration`;
const find = (answers: Answers, source = sourceOf(), asked?: string[]) =>
  discoverUpstream(source, sending(answers, asked), Date.now());

describe("the authorization server of a source", () => {
  it("is the one that the challenge's metadata names, with the challenge's scopes", async () => {
    const challenge = `Bearer realm="mail", resource_metadata="https://mail.example/meta", scope="mail:send"`;
    const found = await find({ [URL_OF]: challenge, "https://mail.example/meta": RESOURCE, [OAUTH]: METADATA });
    expect(found).toMatchObject({ resource: URL_OF, scope: "mail:send", server: { issuer: SERVER } });
  });
  it("is the one of the metadata at its place, or at the origin; then by RFC 8414, else by OpenID Connect", async () => {
    expect((await find({ [PLACE]: RESOURCE, [OAUTH]: METADATA })).scope).toBe("mail:read");
    const whole = { ...RESOURCE, resource: "https://mail.example" };
    const origin = "https://mail.example/.well-known/oauth-protected-resource";
    expect((await find({ [origin]: whole, [OPENID]: METADATA })).resource).toBe("https://mail.example");
  });
  it.each([
    "/.well-known/oauth-authorization-server/tenant",
    "/.well-known/openid-configuration/tenant",
    "/tenant/.well-known/openid-configuration",
  ])("of an issuer with a path is read at %s", async (path) => {
    const issuer = `${SERVER}/tenant`;
    const answers = {
      [PLACE]: { ...RESOURCE, authorization_servers: [issuer] },
      [`${SERVER}${path}`]: { ...METADATA, issuer },
    };
    const { server } = await discoverUpstream(sourceOf(), sending(answers), Date.now());
    expect(server.issuer).toBe(issuer);
  });

  it("is read anew when a person begins to sign in, and after a failure in five seconds", async () => {
    const [source, asked] = [sourceOf(), [] as string[]];
    const send = sending({ [PLACE]: RESOURCE, [`${SERVER}/.well-known/oauth-authorization-server`]: METADATA }, asked);
    await discoverUpstream(source, send, 0);
    const once = asked.length;
    await discoverUpstream(source, send, 1, true);
    expect(asked.length).toBe(2 * once);
    const [failing, requests] = [sourceOf(), [] as string[]];
    for (const now of [0, 4_999])
      await expect(discoverUpstream(failing, sending({}, requests), now, true)).rejects.toThrow("has no metadata");
    expect(new Set(requests).size).toBe(requests.length);
  });

  it("is the API's origin without metadata", async () => {
    const own = { ...METADATA, issuer: "https://mail.example" };
    const found = await find({ "https://mail.example/.well-known/oauth-authorization-server": own });
    expect(found).toMatchObject({ resource: URL_OF, server: { issuer: "https://mail.example" } });
  });
  it("is the configured one, which need not say that it supports PKCE", async () => {
    const { code_challenge_methods_supported: _, ...silent } = METADATA;
    const asked: string[] = [];
    expect((await find({ [OAUTH]: silent }, sourceOf({ issuer: SERVER, scope: "a b" }), asked)).scope).toBe("a b");
    expect(asked).toEqual([OAUTH]);
  });
  it("is looked up once in ten minutes, and after a failure again after five seconds", async () => {
    const [source, asked] = [sourceOf({ issuer: SERVER }), [] as string[]];
    await expect(discoverUpstream(source, sending({}, asked), 0)).rejects.toThrow("has no metadata");
    await expect(discoverUpstream(source, sending({ [OAUTH]: METADATA }), 4_000)).rejects.toThrow("has no metadata");
    await discoverUpstream(source, sending({ [OAUTH]: METADATA }), Date.now() + 6_000);
    await discoverUpstream(source, sending({}), Date.now() + 6_000);
  });

  it.each<[string, Answers, string, string]>([
    [
      "metadata of another API",
      { [PLACE]: { ...RESOURCE, resource: "https://evil.example" } },
      "mismatch",
      "is of `https://evil.example`",
    ],
    [
      "metadata of a neighbour at the same origin",
      { [PLACE]: { ...RESOURCE, resource: `${URL_OF}-other` } },
      "mismatch",
      "not of",
    ],
    ["metadata without a server", { [PLACE]: { resource: URL_OF } }, "not_supported", "incomplete"],
    [
      "a server on plain text",
      { [PLACE]: { ...RESOURCE, authorization_servers: ["http://login.example"] } },
      "not_supported",
      "plain text",
    ],
    [
      "an endpoint on plain text",
      { [PLACE]: RESOURCE, [OAUTH]: { ...METADATA, token_endpoint: "http://login.example/t" } },
      "not_supported",
      "plain text",
    ],
    [
      "metadata on plain text",
      { [URL_OF]: `Bearer resource_metadata="http://mail.example/m"` },
      "not_supported",
      "plain text",
    ],
    [
      "a server that names another (mix-up)",
      { [PLACE]: RESOURCE, [OAUTH]: { ...METADATA, issuer: "https://evil.example" } },
      "mismatch",
      "not its own",
    ],
    [
      "a server without an endpoint",
      { [PLACE]: RESOURCE, [OAUTH]: { ...METADATA, token_endpoint: undefined } },
      "not_supported",
      "incomplete",
    ],
    [
      "a server that says nothing of PKCE",
      { [PLACE]: RESOURCE, [OAUTH]: { ...METADATA, code_challenge_methods_supported: undefined } },
      "not_supported",
      "PKCE",
    ],
    [
      "a server with plain PKCE (downgrade)",
      { [PLACE]: RESOURCE, [OAUTH]: { ...METADATA, code_challenge_methods_supported: ["plain"] } },
      "not_supported",
      "S256",
    ],
    ["no metadata of the server", { [PLACE]: RESOURCE }, "not_supported", "has no metadata"],
  ])("is not accepted with %s", async (_what, answers, code, sentence) => {
    const problem = await find(answers).catch((error: unknown) => error);
    expect(problem).toMatchObject({ code });
    expect((problem as Error).message).toContain(sentence);
  });

  it("is refused when a name occurs twice in it", async () => {
    const text = JSON.stringify(METADATA).replace("{", '{"issuer":"https://evil.example",');
    const send: Outbound = async ({ url }) => ({
      status: url === OAUTH ? 200 : 404,
      headers: { "content-type": "application/json" },
      body: new TextEncoder().encode(text),
      ms: 1,
    });
    await expect(discoverUpstream(sourceOf({ issuer: SERVER }), send, Date.now())).rejects.toMatchObject({
      code: "not_supported",
    });
  });
});
