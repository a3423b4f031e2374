import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { exportJWK } from "jose";
import { Provider } from "oidc-provider";
import { makeKey } from "@/test/support/servers/issuer";

/** The scope of the upstream's API. */
export const SCOPE = "mail:read";
/** A further scope that its metadata does not name: a call that needs it says so. */
export const WRITE_SCOPE = "mail:write";

/** An upstream's real authorization server (`oidc-provider`) on loopback, at which people link their accounts. */
export interface LinkServer {
  readonly issuer: string;
  /** `host:port`, for OUTBOUND_ALLOW. */
  readonly host: string;
  /** The parameters of the requests to the token endpoint, oldest first, granted or refused. */
  readonly asked: Readonly<Record<string, string | undefined>>[];
  /** The tokens whose revocation was requested. */
  readonly revoked: string[];
  /** The account of a valid access token; `null` = it was not issued here for this resource, has ended, or was revoked. */
  accountOf(token: string): string | null;
  /** The scopes of an access token that was issued here. */
  scopesOf(token: string): readonly string[];
  /** Ends every access token of an account, as an administrator there does. */
  endTokens(account: string): void;
  /** Seconds that access tokens last from now on. */
  setLifetime(seconds: number): void;
  /** Whether refresh tokens are accepted from now on. */
  setRefreshes(accepted: boolean): void;
  /** Whether the server answers at all. */
  setAvailable(available: boolean): void;
  /** Forgets the clients that registered, as a server does that keeps them in memory. */
  forgetClients(): Promise<void>;
  /** What the token endpoint answers from now on, with its status; `null` = correct answers again. */
  setTokenAnswer(answer: readonly [status: number, body: object] | null): void;
  close(): Promise<void>;
}

/** How the server knows Quartermaster. */
export interface LinkServerOptions {
  /** The resources that it issues tokens for. They are known when the resource servers run. */
  readonly resources: () => readonly string[];
  readonly port?: number;
  readonly registration?: boolean;
  readonly clients?: readonly object[];
  /** The ways to authenticate at the token endpoint. */
  readonly methods?: readonly string[];
  /** Client documents are accepted, and read with this. */
  readonly readDocument?: (url: string) => Promise<Response>;
  /** Without refresh tokens a person signs in again when the access token ends. */
  readonly refreshTokens?: boolean;
}

/** Starts one on a free loopback port, or on `port`. Its page asks only for the account; an empty one declines. */
export async function startLinkServer(options: LinkServerOptions): Promise<LinkServer> {
  let answer: (request: IncomingMessage, response: ServerResponse) => Promise<void> = async () => {};
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((done) => server.listen(options.port ?? 0, "127.0.0.1", done));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer = `http://${host}`;
  const asked: Readonly<Record<string, string | undefined>>[] = [];
  const revoked: string[] = [];
  const issued = new Map<string, { readonly account: string; readonly scopes: string[]; readonly until: number }>();
  const state = { lifetime: 300, refreshes: true, available: true };
  let lie: readonly [status: number, body: object] | null = null;

  const key = await makeKey("RS256", "key-1");
  const jwk = { ...(await exportJWK(key.privateKey)), kid: key.kid, alg: key.alg, use: "sig" };
  const provider = new Provider(issuer, { ...configuration(options, state), jwks: { keys: [jwk] } });
  const registered: string[] = [];
  provider.use(async (context, next) => {
    await next();
    if (context.oidc?.route === "registration") registered.push((context.body as { client_id: string }).client_id);
    if (context.oidc?.route === "revocation") {
      revoked.push(context.oidc.params["token"] ?? "");
      issued.delete(context.oidc.params["token"] ?? "");
    }
    if (context.oidc?.route !== "token") return;
    asked.push({ ...context.oidc.params });
    const { access_token: token, scope = "" } = (context.body ?? {}) as { access_token?: string; scope?: string };
    const { account: signedIn } = context.oidc as typeof context.oidc & { readonly account?: { accountId: string } };
    const account = signedIn?.accountId ?? "";
    const until = Date.now() + state.lifetime * 1000;
    if (token !== undefined) issued.set(token, { account, scopes: scope.split(" "), until });
  });
  const protocol = provider.callback();
  answer = async (request, response) => {
    if (!state.available) return void response.writeHead(503).end();
    if (lie !== null && request.url === "/token") {
      const [status, body] = lie;
      return void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    }
    if (request.url?.startsWith("/interaction/") !== true) return protocol(request, response);
    if (request.method === "GET") return void response.setHeader("content-type", "text/html").end(SIGN_IN_PAGE);
    const account = new URLSearchParams(await text(request)).get("account") ?? "";
    const agreed = { login: { accountId: account }, consent: {} };
    return provider.interactionFinished(request, response, account === "" ? { error: "access_denied" } : agreed);
  };

  return {
    issuer,
    host,
    asked,
    revoked,
    accountOf: (token) => {
      const known = issued.get(token);
      return known === undefined || known.until <= Date.now() ? null : known.account;
    },
    scopesOf: (token) => issued.get(token)?.scopes ?? [],
    endTokens: (account) => {
      for (const [token, known] of issued) if (known.account === account) issued.delete(token);
    },
    setLifetime: (seconds) => void (state.lifetime = seconds),
    setRefreshes: (accepted) => void (state.refreshes = accepted),
    setAvailable: (available) => void (state.available = available),
    forgetClients: async () => {
      const { adapter } = (provider as unknown as ProviderClients).Client;
      for (const id of registered.splice(0)) await adapter.destroy(id);
    },
    setTokenAnswer: (next) => void (lie = next),
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

// With an icon: otherwise a browser requests /favicon.ico and logs an error.
const SIGN_IN_PAGE = `<!doctype html><html lang="en"><title>Acme Mail sign-in</title><link rel="icon" href="data:,">
<form method="post"><label>Account <input name="account"></label><button>Sign in at Acme Mail</button></form></html>`;

interface State {
  readonly lifetime: number;
  readonly refreshes: boolean;
}

function configuration(options: LinkServerOptions, state: State): object {
  const { resources, registration = false, clients = [], methods, readDocument, refreshTokens = true } = options;
  return {
    clients,
    ...(methods !== undefined && { clientAuthMethods: methods }),
    cookies: { keys: ["a key of the test server"] },
    pkce: { required: () => true },
    scopes: ["openid", "offline_access"],
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: registration },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => {
          throw invalidTarget("no resource");
        },
        getResourceServerInfo: (_context: unknown, indicator: string) => {
          if (!resources().includes(indicator)) throw invalidTarget(indicator);
          return { scope: `${SCOPE} ${WRITE_SCOPE}`, audience: indicator, accessTokenFormat: "opaque" };
        },
        useGrantedResource: () => true,
      },
      ...(readDocument !== undefined && { clientIdMetadataDocument: { enabled: true, ack: "draft-02" } }),
    },
    ...(readDocument !== undefined && { fetch: (url: string | URL) => readDocument(String(url)) }),
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_context: unknown, sub: string) => ({ accountId: sub, claims: async () => ({ sub }) }),
    issueRefreshToken: () => refreshTokens,
    rotateRefreshToken: () => {
      if (!state.refreshes) throw Object.assign(new Error("invalid_grant"), INVALID_GRANT);
      return true;
    },
    // These tests skip consent.
    loadExistingGrant: async (context: GrantContext) => {
      const { provider, client, session } = context.oidc;
      const of = { clientId: client.clientId, accountId: session.accountId };
      const grant = new provider.Grant(of) as InstanceType<Provider["Grant"]> & ResourceGrant;
      grant.addOIDCScope("openid offline_access");
      for (const resource of resources()) grant.addResourceScope(resource, `${SCOPE} ${WRITE_SCOPE}`);
      await grant.save();
      return grant;
    },
    ttl: {
      AccessToken: () => state.lifetime,
      AuthorizationCode: 60,
      Grant: 3600,
      Interaction: 300,
      RefreshToken: 3600,
      Session: 300,
    },
  };
}

const INVALID_GRANT = { statusCode: 400, status: 400, expose: true, error: "invalid_grant" };

function invalidTarget(why: string): Error {
  return Object.assign(new Error(why), { statusCode: 400, status: 400, expose: true, error: "invalid_target" });
}

/** Beyond the types of the library that this project declares. */
interface ResourceGrant {
  addResourceScope(resource: string, scope: string): void;
}

interface ProviderClients {
  readonly Client: { readonly adapter: { destroy(id: string): Promise<void> } };
}

interface GrantContext {
  readonly oidc: {
    readonly provider: Provider;
    readonly client: { readonly clientId: string };
    readonly session: { readonly accountId?: string };
  };
}

/**
 * Goes to a sign-in as a browser with its own cookies, signs in as `account` (`""` declines), and returns the address of
 * `origin` to which the server leads back.
 */
export async function signInAt(address: string, account: string, origin: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let at = new URL(address);
  while (at.origin !== origin) {
    const asked = at.pathname.startsWith("/interaction/")
      ? { method: "POST", body: new URLSearchParams({ account }) }
      : {};
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(at, { ...asked, headers: { cookie }, redirect: "manual" });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    const next = answer.headers.get("location");
    if (next === null) throw new Error(`${at.href}: ${answer.status} ${await answer.text()}`);
    at = new URL(next, at);
  }
  return at;
}
