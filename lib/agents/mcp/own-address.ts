import { validateHostHeader, validateOriginHeader } from "@modelcontextprotocol/server";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";

/** The address of this MCP server as its clients know it: the `resource` of RFC 9728. */
export function mcpAddress(): string {
  return new URL("/mcp", env.NEXTAUTH_URL).href;
}

/** Where its metadata is (RFC 9728, 3.1). */
export function metadataAddress(): string {
  return new URL("/.well-known/oauth-protected-resource/mcp", env.NEXTAUTH_URL).href;
}

/** Host names that we answer under, without ports: our own, this machine's, and what the operator adds. */
function hostnames(): string[] {
  return [new URL(env.NEXTAUTH_URL).hostname, "localhost", "127.0.0.1", "[::1]", ...env.MCP_HOSTS];
}

/**
 * Refuses a request that was made out for another host, or by a page of another site: a browser on this network must not
 * be led to us under a name that an attacker owns (MCP 2025-11-25, Transports, Security Warning).
 *
 * @throws AppError `forbidden`
 */
export function requireOwnAddress(request: Request): void {
  const host = validateHostHeader(request.headers.get("host") ?? new URL(request.url).host, hostnames());
  if (!host.ok)
    throw new AppError("forbidden", "This server does not answer under this `Host`: MCP_HOSTS names those it does.");
  const origin = validateOriginHeader(request.headers.get("origin"), hostnames());
  if (!origin.ok) throw new AppError("forbidden", "This server does not answer pages of this `Origin`.");
}
