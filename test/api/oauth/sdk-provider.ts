import type { OAuthClientProvider } from "@modelcontextprotocol/client";
import {
  answerAs,
  CALLBACK,
  CLIENT,
  cookieHeader,
  takeCookies,
  type Cookies,
  type Gateway,
} from "@/test/api/oauth/world";

interface ProviderOptions {
  /** The loopback port of its redirect address. */
  readonly port: number;
  readonly scope?: string;
  /** Called with the id of each request to connect, before the person answers it. */
  readonly onRequest?: (uid: string) => Promise<void>;
}

/** An OAuth provider of the SDK that keeps its state in memory, and a person who answers every request to connect. */
export class SdkProvider implements OAuthClientProvider {
  readonly clientMetadataUrl = CLIENT;
  readonly redirectUrl: string;
  readonly clientMetadata: OAuthClientProvider["clientMetadata"];
  callback = new URLSearchParams();
  readonly #gateway: Gateway;
  readonly #onRequest: ProviderOptions["onRequest"];
  #saved = new Map<string, unknown>();

  constructor(gateway: Gateway, { port, scope, onRequest }: ProviderOptions) {
    this.#gateway = gateway;
    this.#onRequest = onRequest;
    this.redirectUrl = CALLBACK.replace("127.0.0.1", `127.0.0.1:${port}`);
    const own = { redirect_uris: [this.redirectUrl], client_name: "Test client" };
    this.clientMetadata = scope === undefined ? own : { ...own, scope };
  }

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
    const began = await this.#gateway.send(url.href);
    takeCookies(began, cookies);
    const uid = began.headers.get("location")?.replace("/connect/", "") ?? "";
    await this.#onRequest?.(uid);
    const { location } = (await (await answerAs(uid, { agent: "reader", cookies })).json()) as { location: string };
    const back = await this.#gateway.send(location, { headers: { cookie: cookieHeader(cookies) } });
    this.callback = new URL(back.headers.get("location") ?? "").searchParams;
  }
}
