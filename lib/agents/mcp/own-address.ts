import { validateHostHeader, validateOriginHeader } from "@modelcontextprotocol/server";
import { LOOPBACK_HOSTS } from "@/lib/access/model/addresses";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";

/** The address of the metadata of `/mcp` as a protected resource (RFC 9728, 3.1). */
export function metadataAddress(): string {
  return new URL("/.well-known/oauth-protected-resource/mcp", env.NEXTAUTH_URL).href;
}

/**
 * The host names that requests may be addressed to, without ports: the public one, the loopback names, and MCP_HOSTS.
 */
function hostnames(): string[] {
  return [new URL(env.NEXTAUTH_URL).hostname, ...LOOPBACK_HOSTS, ...env.MCP_HOSTS];
}

/**
 * Refuses a request for another host or from a page of another site. This stops DNS rebinding through a browser on this
 * network (MCP 2025-11-25, Transports, Security Warning).
 *
 * @throws AppError `forbidden`
 */
export function requireOwnAddress(request: Request): void {
  const host = validateHostHeader(request.headers.get("host") ?? new URL(request.url).host, hostnames());
  if (!host.ok)
    throw new AppError("forbidden", "This server does not accept this `Host`: MCP_HOSTS lists the accepted ones.");
  const origin = validateOriginHeader(request.headers.get("origin"), hostnames());
  if (!origin.ok) throw new AppError("forbidden", "This server does not accept this `Origin`.");
}
