import { afterAll, beforeAll, expect, it } from "vitest";
import { Client, StreamableHTTPClientTransport, type OAuthClientProvider } from "@modelcontextprotocol/client";
import { drain } from "@/lib/server/front/front";
import { save, supportDocument } from "@/test/api/agents-world";
import {
  answerAs,
  CALLBACK,
  CLIENT,
  cookieHeader,
  openGateway,
  takeCookies,
  type Cookies,
  type Gateway,
} from "@/test/api/oauth/world";
import { useDatabase } from "@/test/support/database";
import { ORIGIN } from "@/test/support/person";

useDatabase();
let gateway: Gateway;

beforeAll(async () => {
  await save(supportDocument());
  gateway = await openGateway();
});
afterAll(() => drain(gateway.server, 0));

/** A client that keeps its state in memory, and a browser whose person answers every request to connect. */
class TestProvider implements OAuthClientProvider {
  readonly clientMetadataUrl = CLIENT;
  readonly redirectUrl = CALLBACK.replace("127.0.0.1", "127.0.0.1:43118");
  readonly clientMetadata = { redirect_uris: [this.redirectUrl], client_name: "Test client" };
  callback: URLSearchParams | null = null;
  #saved = new Map<string, unknown>();

  clientInformation() {
    return this.#saved.get("client") as ReturnType<OAuthClientProvider["clientInformation"]>;
  }
  saveClientInformation(client: unknown) {
    this.#saved.set("client", client);
  }
  tokens() {
    return this.#saved.get("tokens") as ReturnType<OAuthClientProvider["tokens"]>;
  }
  saveTokens(tokens: unknown) {
    this.#saved.set("tokens", tokens);
  }
  saveCodeVerifier(verifier: string) {
    this.#saved.set("verifier", verifier);
  }
  codeVerifier() {
    return String(this.#saved.get("verifier"));
  }
  async redirectToAuthorization(url: URL) {
    const cookies: Cookies = new Map();
    const began = await gateway.send(url.href);
    takeCookies(began, cookies);
    const uid = began.headers.get("location")?.replace("/connect/", "") ?? "";
    const { location } = (await (await answerAs(uid, { agent: "reader", cookies })).json()) as { location: string };
    const back = await gateway.send(location, { headers: { cookie: cookieHeader(cookies) } });
    this.callback = new URL(back.headers.get("location") ?? "").searchParams;
  }
}

it.each(["legacy", { pin: "2026-07-28" }] as const)(
  "the SDK's client knows only the address, signs in and calls a tool: %j",
  async (mode) => {
    const authProvider = new TestProvider();
    const address = new URL("/mcp", ORIGIN);
    const transport = () => new StreamableHTTPClientTransport(address, { authProvider, fetch: gateway.send });
    const client = () => new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
    const first = transport();
    await expect(client().connect(first)).rejects.toMatchObject({ name: "UnauthorizedError" });
    await first.finishAuth(authProvider.callback ?? new URLSearchParams());
    const connected = client();
    await connected.connect(transport());
    const { tools } = await connected.listTools();
    expect(tools.map(({ name }) => name)).toContain("calculate");
    const result = await connected.callTool({ name: "calculate", arguments: { expression: "6 * 7" } });
    expect(result.structuredContent).toEqual({ value: 42 });
    await connected.close();
  },
);
