import { networkOf } from "@/lib/access/model/addresses";
import { BoundedCache } from "@/lib/access/model/bounded-cache";
import { PAGE_POLICY } from "@/lib/agents/oauth/error-page";
import { loadProvider } from "@/lib/agents/oauth/load-provider";
import { CLIENT_PATHS, OAUTH_PATHS } from "@/lib/agents/oauth/paths";
import { toOAuthError } from "@/lib/agents/oauth/refusal";
import { readRegistration } from "@/lib/agents/oauth/registration";
import { knownScopes, supportedScopes } from "@/lib/agents/oauth/scopes";
import { ownAudience } from "@/lib/auth/agents/own-issuer";
import { clientAddress } from "@/lib/auth/client-address";
import { publicOrigin } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { readBytes } from "@/lib/http/body";
import { route, type Handler } from "@/lib/http/route";
import { outboundByDns, type Outbound } from "@/lib/outbound/fetch";
import { singleton } from "@/lib/process/singleton";
import { readTokenKeys, rotateTokenKeys } from "@/lib/store/oauth/token-keys";
import type { SignIn, Snapshot } from "@/lib/store/snapshot/build";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";
import { metrics } from "@/lib/telemetry/metrics";

/** The largest body of a client, in bytes. */
const MAX_BYTES = 16 * 1024;

/** The longest query, in characters. That of an authorization request is stored until a person answers. */
const MAX_QUERY = 4_096;
/**
 * The most requests of one address in a minute. Nobody is authenticated yet, and each request may fetch a client's
 * document and write rows. Each process counts by itself, in memory: counting in the database would write a row each time.
 */
const PER_MINUTE = { authorization: 120, token: 600, registration: 30 } as const;
const MINUTE_MS = 60_000;
/** The most addresses that are counted at once. */
const MAX_COUNTED = 10_000;

/** The provider of one set of keys. */
interface KeyedProvider {
  readonly keys: SignIn["keys"];
  readonly run: (request: Request) => Promise<Response>;
}

/**
 * The routes of our authorization server: `/oauth/*` and its metadata. oidc-provider builds addresses from the request, so
 * host and scheme are replaced by the public address before it sees one.
 *
 * @param fetch fetches client documents
 */
export function oauthWith(fetch: Outbound): Handler {
  let built: KeyedProvider | null = null;
  const windows = new BoundedCache<Window>(MAX_COUNTED);

  async function currentProvider(): Promise<KeyedProvider> {
    const { signIn } = await snapshotWithKeys();
    if (signIn === null) throw notFound();
    const { keys } = signIn;
    if (built?.keys !== keys) {
      const { createProvider, runnerOf } = await loadProvider();
      built = { keys, run: runnerOf(createProvider(await readTokenKeys(), fetch)) };
    }
    return built;
  }

  return route({
    authenticate: async () => null,
    respond: async ({ request }) =>
      withSecurityHeaders(await answer(request).catch((error: unknown) => toOAuthError(error, request))),
  });

  async function answer(request: Request): Promise<Response> {
    const url = new URL(request.url);
    admit(url, request.headers, windows);
    const { run } = await currentProvider();
    const body = request.method === "POST" ? Buffer.from(await readBytes(request, MAX_BYTES)) : null;
    if (body !== null && url.pathname === OAUTH_PATHS.token && namesOtherResource(body)) return wrongResource();
    const readdressed = await toOwnAddress(request, url, body);
    const isRegistration = body !== null && url.pathname === OAUTH_PATHS.registration;
    const own = isRegistration ? await toRegistration(readdressed) : readdressed;
    if (own instanceof Response) return own;
    const response = await run(own);
    if (response.status === 404) throw notFound();
    return request.method === "HEAD" ? withoutBody(response) : response;
  }
}

/** The production authorization server. */
export const oauth: Handler = (request, context) => production()(request, context);
const production = singleton("OAuth", () => oauthWith(outboundByDns));

/** The requests of one address since a minute began. */
interface Window {
  used: number;
  /** Milliseconds on the clock of `performance.now()`. */
  readonly endsAt: number;
}

/** @throws AppError `invalid_request` for a query that is too long, contains NUL or asks for another response mode; `rate_limited` */
function admit({ pathname, search, searchParams }: URL, headers: Headers, windows: BoundedCache<Window>): void {
  const kind = limitOf(pathname);
  if (kind === null) return;
  const isAuthorization = kind === "authorization";
  if (search.length > MAX_QUERY)
    throw new AppError("invalid_request", `The query is longer than ${MAX_QUERY} characters.`);
  // The query is stored, and Postgres stores no NUL. URLSearchParams has replaced bytes that are not UTF-8.
  if (isAuthorization && [...searchParams.values()].some((value) => value.includes("\0")))
    throw new AppError("invalid_request", "The query contains a NUL character.");
  // The provider answers other modes with a page that needs a script, which our pages may not run.
  if (isAuthorization && (searchParams.get("response_mode") ?? "query") !== "query")
    throw new AppError(
      "invalid_request",
      "This server supports only the response_mode query. Leave the parameter out.",
    );
  const key = `${kind} ${networkOf(clientAddress(headers))}`;
  const now = performance.now();
  const known = windows.get(key);
  const window = known === undefined || known.endsAt <= now ? { used: 0, endsAt: now + MINUTE_MS } : known;
  window.used += 1;
  windows.set(key, window, 1);
  if (window.used <= PER_MINUTE[kind]) return;
  throw new AppError("rate_limited", "Too many requests of this address in one minute: try again in a minute.", {
    headers: { "retry-after": "60" },
  });
}

/** The limit that applies to a path. That of the authorization endpoint includes the browser's return, which writes rows. */
function limitOf(pathname: string): keyof typeof PER_MINUTE | null {
  if (pathname.startsWith(OAUTH_PATHS.authorization)) return "authorization";
  if (pathname.startsWith(OAUTH_PATHS.registration)) return "registration";
  return CLIENT_PATHS.some((path) => pathname.startsWith(path)) ? "token" : null;
}

/** Whether a token request names another resource. oidc-provider refuses it only after consuming code or refresh token. */
function namesOtherResource(body: Buffer): boolean {
  return new URLSearchParams(body.toString()).getAll("resource").some((resource) => resource !== ownAudience());
}

/** Adds the headers of every answer: no page runs a script or is shown in a frame. */
function withSecurityHeaders(response: Response): Response {
  const { headers } = response;
  if (headers.get("content-type")?.startsWith("text/html") === true) {
    headers.set("content-security-policy", PAGE_POLICY);
    headers.set("x-frame-options", "DENY");
  }
  headers.set("referrer-policy", "no-referrer");
  headers.set("x-content-type-options", "nosniff");
  return response;
}

function wrongResource(): Response {
  metrics().signInRefusals.of({ reason: "invalid_target" }).add();
  const description = `This server issues tokens only for the resource ${ownAudience()}.`;
  return Response.json({ error: "invalid_target", error_description: description }, { status: 400 });
}

async function withoutBody(response: Response): Promise<Response> {
  await response.arrayBuffer();
  return new Response(null, { status: response.status, headers: response.headers });
}

/** The registration request with only the metadata that we support, or the response that refuses it. */
async function toRegistration(request: Request): Promise<Request | Response> {
  const { settings } = await currentSnapshot();
  if (!settings.clientSignIn.registration) throw notFound();
  const read = readRegistration(await request.text());
  if (!read.ok) return Response.json(read.error, { status: 400, headers: { "cache-control": "no-store" } });
  return new Request(request.url, { method: "POST", headers: request.headers, body: read.body });
}

function notFound(): AppError {
  return new AppError("not_found", "There is nothing at this address.");
}

/** The current configuration. Creates the first key if client sign-in is enabled and has none. */
async function snapshotWithKeys(): Promise<Snapshot> {
  const snapshot = await currentSnapshot();
  if (snapshot.signIn?.keys.size !== 0) return snapshot;
  await rotateTokenKeys();
  return currentSnapshot();
}

/** Rewrites a request: the public address, the metadata path without `/mcp`, and only scopes that exist here. */
async function toOwnAddress(request: Request, given: URL, body: Buffer<ArrayBuffer> | null): Promise<Request> {
  const own = new URL(publicOrigin());
  const url = new URL(given.pathname.replace(/^(\/\.well-known\/[^/]+)\/mcp$/, "$1") + given.search, own);
  if (url.pathname === OAUTH_PATHS.authorization)
    url.searchParams.set(
      "scope",
      knownScopes(given.searchParams.get("scope"), supportedScopes(await currentSnapshot())),
    );
  // Read before the copy: a copy has the headers that the client sent, not the one that the gateway replaced.
  const peers = request.headers.get("x-forwarded-for");
  const headers = new Headers(request.headers);
  for (const name of ["forwarded", "x-forwarded-host", "x-forwarded-port", "content-length"]) headers.delete(name);
  if (peers === null) headers.delete("x-forwarded-for");
  else headers.set("x-forwarded-for", peers);
  headers.set("host", own.host);
  // oidc-provider answers errors as a page to clients that prefer HTML. Clients read JSON (RFC 6749, 5.2).
  if (CLIENT_PATHS.includes(url.pathname)) headers.set("accept", "application/json");
  headers.set("x-forwarded-proto", own.protocol.slice(0, -1));
  // A response to HEAD breaks in srvx after it was sent, so the provider answers GET and `withoutBody` drops the body.
  const method = request.method === "HEAD" ? "GET" : request.method;
  return new Request(url, { method, headers, body });
}
