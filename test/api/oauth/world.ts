import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { SignJWT, type CryptoKey } from "jose";
import { afterAll, beforeAll } from "vitest";
import { POST as answerRequestRoute } from "@/app/api/admin/connection-requests/[id]/route";
import { METADATA_PATHS, OAUTH_PATHS } from "@/lib/agents/oauth/paths";
import { oauthWith } from "@/lib/agents/oauth/server";
import { AppError } from "@/lib/errors";
import type { Outbound } from "@/lib/outbound/fetch";
import { createFront, drain, answerNotFound } from "@/lib/server/front/front";
import { AGENT_ROUTES, findIn } from "@/lib/server/routes";
import type { Role } from "@/lib/resources/permissions";
import { ORIGIN, signIn } from "@/test/support/person";

/** The audience of tokens. */
export const RESOURCE = `${ORIGIN}/mcp`;
/** The client of these tests: a native program whose document omits what real documents omit. */
export const CLIENT = "https://client.example.com/oauth/client.json";
/** Its redirect address, without a port, as RFC 8252 registers it. */
export const CALLBACK = "http://127.0.0.1/callback";

/** The documents that the fake internet serves, by address. */
export const documents = new Map<string, unknown>([
  [
    CLIENT,
    { client_id: CLIENT, client_name: "Test client", redirect_uris: [CALLBACK, "https://client.example.com/done"] },
  ],
]);

/** Serves `documents`, and notes what was fetched. */
export const fetched: string[] = [];
const internet: Outbound = async ({ url }) => {
  fetched.push(url);
  const document = documents.get(url);
  if (document === undefined) throw new AppError("upstream_error", "There is no such host.");
  const body = new TextEncoder().encode(typeof document === "string" ? document : JSON.stringify(document));
  return { status: 200, headers: { "content-type": "application/json" }, body, ms: 1 };
};

/** The gateway over real HTTP, with client documents from `documents`. */
export interface Gateway {
  readonly server: Server;
  /** Like `fetch`, for addresses below the public one: they reach this gateway. Follows no redirect. */
  readonly send: typeof fetch;
}

/** Opens a gateway before the tests of the file, after the `beforeAll` above it, and ends it after them. */
export function useGateway(): Gateway {
  let opened: Gateway | undefined;
  const gateway = () => {
    if (opened === undefined) throw new Error("Use the gateway inside tests only.");
    return opened;
  };
  beforeAll(async () => {
    opened = await openGateway();
  });
  afterAll(async () => {
    if (opened !== undefined) await drain(opened.server, 0);
  });
  return {
    get server() {
      return gateway().server;
    },
    send: (input, init) => gateway().send(input, init),
  };
}

/** Opens a gateway for one test, which ends it. */
export async function openGateway(): Promise<Gateway> {
  const oauth = oauthWith(internet);
  const methods = { GET: oauth, POST: oauth, OPTIONS: oauth };
  const paths = [...METADATA_PATHS.server, ...Object.values(OAUTH_PATHS), `${OAUTH_PATHS.authorization}/[uid]`];
  const routes = { ...AGENT_ROUTES, ...Object.fromEntries(paths.map((path) => [path, methods])) };
  const server = createFront(findIn(routes), answerNotFound);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const send: typeof fetch = (input, init) => {
    const address = input instanceof Request ? input.url : String(input);
    const at = address.startsWith("/") ? `${origin}${address}` : address.replace(ORIGIN, origin);
    return fetch(at, { redirect: "manual", ...init });
  };
  return { server, send };
}

/** A browser's cookies, by name. */
export type Cookies = Map<string, string>;

/** Takes the cookies of an answer, and forgets those that it expires. */
export function takeCookies(answer: Response, cookies: Cookies): void {
  for (const line of answer.headers.getSetCookie()) {
    const [pair = ""] = line.split(";");
    const at = pair.indexOf("=");
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
    if (value === "") cookies.delete(name);
    else cookies.set(name, value);
  }
}

/** The `Cookie` header of a browser. */
export function cookieHeader(cookies: Cookies): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
}

/** A code verifier and its challenge (RFC 7636). */
export function pkce(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

/** The parameters of an authorization request. */
export function authorizationQuery(challenge: string, changes: Record<string, string | null> = {}): URLSearchParams {
  const parameters: Record<string, string | null> = {
    response_type: "code",
    client_id: CLIENT,
    redirect_uri: "http://127.0.0.1:43117/callback",
    code_challenge: challenge,
    code_challenge_method: "S256",
    resource: RESOURCE,
    scope: "tools",
    state: "the-state",
    ...changes,
  };
  return new URLSearchParams(
    Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== null),
  );
}

/** What a person answers. */
export interface Answering {
  readonly agent: string | null;
  readonly role?: Role;
  /** The `Cookie` header of a session, instead of a person with `role`. */
  readonly session?: string;
  readonly cookies: Cookies;
}

/** Answers a client's request to connect as a signed-in person, as the app's page does. */
export async function answerAs(uid: string, { agent, role = "admin", session, cookies }: Answering): Promise<Response> {
  const person = session === undefined ? await signIn(role) : { cookie: session, origin: ORIGIN };
  const request = new Request(`${ORIGIN}/api/admin/connection-requests/${uid}`, {
    method: "POST",
    headers: {
      ...person,
      cookie: `${person.cookie}; ${cookieHeader(cookies)}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ agent }),
  });
  return answerRequestRoute(request, { params: Promise.resolve({ id: uid }) });
}

/** Begins at the authorization endpoint; answers the request's id, which the browser's cookies also hold. */
export async function begin(
  { send }: Gateway,
  query: URLSearchParams,
  cookies: Cookies = new Map(),
): Promise<{ began: Response; uid: string; cookies: Cookies }> {
  const began = await send(`/oauth/authorize?${query}`, { headers: { cookie: cookieHeader(cookies) } });
  takeCookies(began, cookies);
  return { began, uid: began.headers.get("location")?.replace("/connect/", "") ?? "", cookies };
}

/** Runs the whole sign-in up to the code: begin, answer, return. Answers where the browser was sent. */
export async function authorize(
  gateway: Gateway,
  query: URLSearchParams,
  answering: Omit<Answering, "cookies">,
): Promise<URL> {
  const { uid, cookies } = await begin(gateway, query);
  const answered = await answerAs(uid, { ...answering, cookies });
  const { location } = (await answered.json()) as { location: string };
  const back = await gateway.send(location, { headers: { cookie: cookieHeader(cookies) } });
  return new URL(back.headers.get("location") ?? "about:blank");
}

/** Sends a form to the token endpoint. */
export async function token(
  { send }: Gateway,
  form: Record<string, string>,
): Promise<{ status: number; json: Record<string, unknown> }> {
  const response = await send(OAUTH_PATHS.token, { method: "POST", body: new URLSearchParams(form) });
  return { status: response.status, json: (await response.json()) as Record<string, unknown> };
}

/** The tokens of a new connection as the agent. */
export async function connectAs(
  gateway: Gateway,
  agent: string,
  { role = "admin" as Role, ...changes }: { role?: Role } & Record<string, string | null | Role> = {},
): Promise<{ access: string; refresh: string }> {
  const { verifier, challenge } = pkce();
  const query = authorizationQuery(challenge, changes);
  const sent = await authorize(gateway, query, { agent, role });
  const { json } = await token(gateway, redemption(sent.searchParams.get("code") ?? "", verifier));
  return { access: String(json["access_token"]), refresh: String(json["refresh_token"]) };
}

/** The form that redeems a code. */
export function redemption(code: string, verifier: string): Record<string, string> {
  return {
    grant_type: "authorization_code",
    client_id: CLIENT,
    code,
    code_verifier: verifier,
    redirect_uri: "http://127.0.0.1:43117/callback",
    resource: RESOURCE,
  };
}

/** The fields by which a client signs its request (RFC 7523, 2.2). Its key has the id `one`. */
export async function clientAssertion(
  client: string,
  key: CryptoKey,
  { audience = ORIGIN, jti = crypto.randomUUID() }: { readonly audience?: string; readonly jti?: string } = {},
): Promise<Record<string, string>> {
  const assertion = await new SignJWT({ jti })
    .setProtectedHeader({ alg: "ES256", kid: "one" })
    .setIssuer(client)
    .setSubject(client)
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime("1m")
    .sign(key);
  return {
    client_id: client,
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: assertion,
  };
}

/** The form that uses a refresh token. */
export function refreshing(refresh: string): Record<string, string> {
  return { grant_type: "refresh_token", client_id: CLIENT, refresh_token: refresh, resource: RESOURCE };
}

/** The status with which the agent API answers a token. */
export async function listStatus({ send }: Gateway, access: string): Promise<number> {
  const answered = await send("/api/agents/tools", { headers: { authorization: `Bearer ${access}` } });
  await answered.text();
  return answered.status;
}
