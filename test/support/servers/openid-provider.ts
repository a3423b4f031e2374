import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { exportJWK, SignJWT, type JWTPayload } from "jose";
import { Provider } from "oidc-provider";
import { makeKey, type SigningKey } from "@/test/support/servers/issuer";

/** The client that every test provider knows. */
export const CLIENT = { id: "quartermaster", secret: "client secret: with %, + and =" } as const;

/** The answer of a token endpoint before it is sent. */
export type Tokens = Record<string, unknown>;

/** A real OpenID provider (`oidc-provider`) on loopback, whose token endpoint can be made to lie. */
export interface OpenIdTestProvider {
  readonly issuer: string;
  /** `host:port`, for OUTBOUND_ALLOW. */
  readonly host: string;
  readonly key: SigningKey;
  /** The accounts and their claims, by `sub`. */
  readonly accounts: Map<string, Record<string, unknown>>;
  /** Changes the token endpoint's answers; `null` = correct answers again. */
  tamper(change: ((tokens: Tokens) => Promise<Tokens>) | null): void;
  /** Signs claims as the provider does, or with another header and key. */
  sign(claims: JWTPayload, header?: Record<string, unknown>, key?: SigningKey): Promise<string>;
  close(): Promise<void>;
}

/** The address and the behaviour of the provider. */
export interface ProviderOptions {
  readonly redirectUri: string;
  readonly port?: number;
  /** False, as in the specification: only the userinfo endpoint returns the claims of scopes. */
  readonly claimsInIdToken?: boolean;
  /** Whether the token endpoint returns a refresh token. */
  readonly refreshTokens?: boolean;
  /** The only way in which the token endpoint accepts the client's secret. */
  readonly secretIn?: "client_secret_basic" | "client_secret_post";
}

/** Starts one on a free loopback port, or on `port`. Its page asks only for the account. */
export async function startOpenIdProvider(options: ProviderOptions): Promise<OpenIdTestProvider> {
  const key = await makeKey("ES256", "key-1");
  const accounts = new Map<string, Record<string, unknown>>();
  let change: ((tokens: Tokens) => Promise<Tokens>) | null = null;
  let answer: (request: IncomingMessage, response: ServerResponse) => Promise<void> = async () => {};
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((done) => server.listen(options.port ?? 0, "127.0.0.1", done));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer = `http://${host}`;

  const privateJwk = { ...(await exportJWK(key.privateKey)), kid: key.kid, alg: key.alg, use: "sig" };
  const provider = new Provider(issuer, configuration(options, privateJwk, accounts));
  provider.use(async (context, next) => {
    await next();
    if (context.oidc?.route === "token" && change !== null) context.body = await change(context.body as Tokens);
  });
  const protocol = provider.callback();
  answer = async (request, response) => {
    if (request.url?.startsWith("/interaction/") !== true) return protocol(request, response);
    if (request.method === "GET") return void response.setHeader("content-type", "text/html").end(SIGN_IN_PAGE);
    const account = new URLSearchParams(await text(request)).get("account") ?? "";
    const login = { login: { accountId: account } };
    return provider.interactionFinished(request, response, account === "" ? { error: "access_denied" } : login);
  };

  return {
    issuer,
    host,
    key,
    accounts,
    tamper: (next) => void (change = next),
    sign: (claims, header = {}, by = key) =>
      new SignJWT(claims).setProtectedHeader({ alg: by.alg, kid: by.kid, ...header }).sign(by.privateKey),
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

// With an icon: otherwise a browser requests /favicon.ico and logs an error.
const SIGN_IN_PAGE = `<!doctype html><html lang="en"><title>Acme sign-in</title><link rel="icon" href="data:,">
<form method="post"><label>Account <input name="account"></label><button>Sign in at Acme</button></form></html>`;

function configuration(
  { redirectUri, claimsInIdToken = false, refreshTokens = false, secretIn = "client_secret_basic" }: ProviderOptions,
  privateJwk: object,
  accounts: ReadonlyMap<string, Record<string, unknown>>,
): object {
  return {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: secretIn,
        id_token_signed_response_alg: "ES256",
        grant_types: refreshTokens ? ["authorization_code", "refresh_token"] : ["authorization_code"],
      },
    ],
    clientAuthMethods: [secretIn],
    jwks: { keys: [privateJwk] },
    cookies: { keys: ["a key of the test provider"] },
    pkce: { required: () => true },
    claims: {
      openid: ["sub"],
      email: ["email"],
      profile: [
        "name",
        "preferred_username",
        "groups",
        "https://acme.example/roles",
        // Of Entra and Keycloak.
        "roles",
        "_claim_names",
        "realm_access",
      ],
    },
    conformIdTokenClaims: !claimsInIdToken,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_context: unknown, sub: string) =>
      accounts.has(sub) ? { accountId: sub, claims: async () => ({ sub, ...accounts.get(sub) }) } : undefined,
    issueRefreshToken: () => refreshTokens,
    rotateRefreshToken: true,
    // These tests skip consent.
    loadExistingGrant: async (context: GrantContext) => {
      const { provider, client, session } = context.oidc;
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
    ttl: { AccessToken: 300, AuthorizationCode: 60, Grant: 300, IdToken: 300, Interaction: 300, Session: 300 },
  };
}

interface GrantContext {
  readonly oidc: {
    readonly provider: Provider;
    readonly client: { readonly clientId: string };
    readonly session: { readonly accountId?: string };
  };
}
