import { discoveryRequest, processDiscoveryResponse, type AuthorizationServer } from "oauth4webapi";
import { z } from "zod";
import { fromJson } from "@/lib/access/model/json";
import { BoundedCache } from "@/lib/access/model/bounded-cache";
import { parseBearerChallenge } from "@/lib/calls/linked-accounts/challenge";
import { LinkProblem } from "@/lib/calls/linked-accounts/link-problem";
import { requestServer, sendBounded, throughOutbound } from "@/lib/calls/linked-accounts/request-server";
import type { Outbound } from "@/lib/outbound/fetch";
import { SOURCE_KINDS } from "@/lib/resources/source-kinds";
import type { SourceRow } from "@/lib/resources/source";

/** A source that requires the user's own sign-in. */
export interface LinkableSource extends Pick<SourceRow, "name" | "kind" | "url"> {
  readonly auth: Extract<SourceRow["auth"], { mode: "user" }>;
}

/** The resource of a source, and the authorization server that issues tokens for it. */
interface Upstream {
  /** The resource identifier (RFC 8707). */
  readonly resource: string;
  /** The scopes to request, separated by spaces; empty = the server's default. */
  readonly scope: string;
  readonly server: AuthorizationServer;
}

/** Milliseconds for which a result or a failure is cached, so that repeated clicks cause no requests. */
const FRESH_MS = 10 * 60_000;
const FAILED_MS = 5_000;

const cache = new BoundedCache<{ readonly discovered: Promise<Upstream>; until: number; startUntil: number }>(1_000);

/**
 * Finds the authorization server of a source: the configured one, or the one that the resource's metadata names
 * (RFC 9728), then the server's own metadata (RFC 8414, OpenID Connect Discovery 1.0). Cached for ten minutes.
 *
 * @param isStart whether a person begins to sign in: read anew, because the resource may have moved to another server
 * @throws LinkProblem
 */
export function discoverUpstream(
  source: LinkableSource,
  send: Outbound,
  now: number,
  isStart = false,
): Promise<Upstream> {
  const { kind, url, auth } = source;
  const key = JSON.stringify([kind, url, auth.resource, auth.issuer, auth.scope]);
  const cached = cache.get(key);
  if (cached !== undefined && now < (isStart ? cached.startUntil : cached.until)) return cached.discovered;
  const entry = { discovered: discover(source, send), until: now + FRESH_MS, startUntil: now };
  cache.set(key, entry, 1);
  entry.discovered.catch(() => (entry.until = entry.startUntil = now + FAILED_MS));
  return entry.discovered;
}

/** The address of a source's API: what tokens are requested for. `null` = the source does not state it. */
export function resourceOf({ url, auth }: Pick<LinkableSource, "url" | "auth">): string | null {
  return auth.resource ?? url;
}

async function discover(source: LinkableSource, send: Outbound): Promise<Upstream> {
  const { auth, kind } = source;
  const address = resourceOf(source);
  if (address === null)
    throw new LinkProblem(
      "not_supported",
      `The source \`${source.name}\` does not say which API accounts are linked at.`,
    );
  const isServer = SOURCE_KINDS[kind].imports === "server";
  if (auth.issuer !== null) {
    const server = await discoverServer(auth.issuer, address, send);
    // The administrator vouches for this server. Some support PKCE without saying so.
    const statedScope = async () => (await findResource(address, isServer, send).catch(() => null))?.scope ?? "";
    return { resource: address, scope: auth.scope === "" ? await statedScope() : auth.scope, server };
  }
  const found = await findResource(address, isServer, send);
  const server = await discoverServer(found.issuer, address, send);
  if (server.code_challenge_methods_supported === undefined)
    throw new LinkProblem(
      "not_supported",
      `${found.issuer} does not say that it supports PKCE, which protects the sign-in.`,
    );
  return { resource: found.resource, scope: auth.scope === "" ? found.scope : auth.scope, server };
}

const metadata = z.object({
  resource: z.url({ protocol: /^https?$/ }),
  authorization_servers: z.array(z.url({ protocol: /^https?$/ })).min(1),
  scopes_supported: z.array(z.string()).default([]),
});

interface Resource {
  readonly resource: string;
  readonly issuer: string;
  readonly scope: string;
}

/** Reads the resource's metadata. Without any, its origin counts as the server, as MCP 2025-03-26 has it. */
async function findResource(address: string, isServer: boolean, send: Outbound): Promise<Resource> {
  const challenge = isServer ? await readChallenge(address, send) : null;
  const stated = challenge?.metadata ?? null;
  const { origin, pathname } = new URL(address);
  const path = pathname === "/" ? "" : pathname;
  const places = [
    ...(stated === null ? [] : [stated]),
    `${origin}/.well-known/oauth-protected-resource${path}`,
    ...(path === "" ? [] : [`${origin}/.well-known/oauth-protected-resource`]),
  ];
  for (const url of places) {
    requireAsSecure(url, address);
    const { status, body } = await sendBounded(send, { url, headers: { accept: "application/json" } });
    if (status !== 200) continue;
    const parsed = metadata.safeParse(fromJson(body));
    if (!parsed.success)
      throw new LinkProblem("not_supported", `The metadata of the resource at ${url} is incomplete.`, {
        cause: parsed.error,
      });
    const { resource, authorization_servers: servers, scopes_supported: scopes } = parsed.data;
    if (!covers(resource, address))
      throw new LinkProblem("mismatch", `The metadata at ${url} is of \`${resource}\`, not of ${address}.`);
    const scope = (challenge?.scopes ?? scopes).join(" ");
    return { resource, issuer: servers[0] as string, scope };
  }
  return { resource: address, issuer: origin, scope: (challenge?.scopes ?? []).join(" ") };
}

/** A resource is one of the same origin whose path the address begins with (MCP, Authorization, Resource Parameter). */
function covers(resource: string, address: string): boolean {
  const [outer, inner] = [new URL(resource), new URL(address)];
  const folder = (path: string) => (path.endsWith("/") ? path : `${path}/`);
  return outer.origin === inner.origin && folder(inner.pathname).startsWith(folder(outer.pathname));
}

/** A request that changes nothing, in a form that every MCP server authenticates before it reads more. */
const PROBE = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });

/**
 * The challenge of an MCP server's 401 (RFC 9728, 5.1). Some servers answer other methods than POST without one. Any other
 * answer counts as none: the metadata is also at well-known addresses.
 */
async function readChallenge(url: string, send: Outbound): Promise<ReturnType<typeof parseBearerChallenge>> {
  const headers = { accept: "application/json, text/event-stream", "content-type": "application/json" };
  const probe = sendBounded(send, { url, method: "POST", headers, body: PROBE });
  const answer = await probe.catch(() => null);
  return answer?.status === 401 ? parseBearerChallenge(answer.headers["www-authenticate"]) : null;
}

const endpoint = z.url({ protocol: /^https?$/ });

/** The used part of a server's metadata, beyond what the library checks. */
const serverMetadata = z.looseObject({
  issuer: z.string(),
  authorization_endpoint: endpoint,
  token_endpoint: endpoint,
  registration_endpoint: endpoint.exactOptional(),
  revocation_endpoint: endpoint.exactOptional(),
  code_challenge_methods_supported: z.array(z.string()).exactOptional(),
  scopes_supported: z.array(z.string()).exactOptional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).exactOptional(),
});

/** Reads a server's metadata as RFC 8414 defines it, else as OpenID Connect does, in the order of MCP. */
async function discoverServer(issuer: string, resource: string, send: Outbound): Promise<AuthorizationServer> {
  requireAsSecure(issuer, resource);
  const through = throughOutbound(send);
  for (const form of ["oauth2", "inserted", "oidc"] as const) {
    const response =
      form === "inserted"
        ? await readInserted(new URL(issuer), send)
        : await discoveryRequest(new URL(issuer), { ...through, algorithm: form });
    if (response?.status !== 200) continue;
    const found: unknown = await processDiscoveryResponse(new URL(issuer), response).catch((cause: unknown) => {
      throw new LinkProblem("mismatch", `The metadata of ${issuer} is not its own, or not valid.`, { cause });
    });
    return requireEndpoints(serverMetadata.safeParse(found), issuer, resource);
  }
  throw new LinkProblem("not_supported", `${issuer} has no metadata of an authorization server.`);
}

/** The metadata of OpenID Connect where RFC 8414, 5 puts it for an issuer with a path; `null` = the issuer has none. */
async function readInserted({ origin, pathname }: URL, send: Outbound): Promise<Response | null> {
  if (pathname === "/") return null;
  const url = `${origin}/.well-known/openid-configuration${pathname.replace(/\/$/, "")}`;
  return requestServer(send, url, { method: "GET", headers: { accept: "application/json" } });
}

function requireEndpoints(
  parsed: ReturnType<typeof serverMetadata.safeParse>,
  issuer: string,
  resource: string,
): AuthorizationServer {
  if (!parsed.success)
    throw new LinkProblem("not_supported", `The metadata of ${issuer} is incomplete.`, { cause: parsed.error });
  const { authorization_endpoint, token_endpoint, registration_endpoint, revocation_endpoint } = parsed.data;
  for (const url of [authorization_endpoint, token_endpoint, registration_endpoint, revocation_endpoint])
    if (url !== undefined) requireAsSecure(url, resource);
  const methods = parsed.data.code_challenge_methods_supported;
  if (methods !== undefined && !methods.includes("S256"))
    throw new LinkProblem("not_supported", `${issuer} does not support PKCE with S256, which protects the sign-in.`);
  return parsed.data as AuthorizationServer;
}

/** A resource on https may not lead to plain text, where codes and tokens could be read. */
function requireAsSecure(url: string, resource: string): void {
  if (resource.startsWith("https:") && !url.startsWith("https:"))
    throw new LinkProblem("not_supported", `The sign-in would go over plain text at ${new URL(url).origin}.`);
}
