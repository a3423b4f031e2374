import { discoveryRequest, processDiscoveryResponse } from "oauth4webapi";
import { z } from "zod";
import { ProviderUnavailable, throughOutbound } from "@/lib/auth/openid/request-provider";
import type { Outbound } from "@/lib/outbound/fetch";

/** Milliseconds for which a document or a failure is cached, so that repeated clicks cause no requests. */
const FRESH_MS = 10 * 60_000;
const FAILED_MS = 5_000;

const endpoint = z.url({ protocol: /^https?$/ });

/** The used part of a discovery document (OpenID Connect Discovery 1.0, 3). */
const document = z.object({
  issuer: z.string(),
  authorization_endpoint: endpoint,
  token_endpoint: endpoint,
  jwks_uri: endpoint,
  userinfo_endpoint: endpoint.exactOptional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).default(["client_secret_basic"]),
  /** Whether the provider names itself in the browser's redirect (RFC 9207). */
  authorization_response_iss_parameter_supported: z.boolean().default(false),
});

/** The endpoints of a provider. */
export type Discovered = z.output<typeof document>;

/**
 * Finds the endpoints of an issuer and caches them for ten minutes.
 *
 * @param now epoch milliseconds
 */
export function openIdDiscovery(fetch: Outbound, now: () => number): (issuer: string) => Promise<Discovered> {
  const known = new Map<string, { readonly discovered: Promise<Discovered>; until: number }>();
  return (issuer) => {
    const cached = known.get(issuer);
    if (cached !== undefined && now() < cached.until) return cached.discovered;
    const entry = { discovered: discover(fetch, issuer), until: now() + FRESH_MS };
    known.set(issuer, entry);
    entry.discovered.catch(() => (entry.until = now() + FAILED_MS));
    return entry.discovered;
  };
}

/** @throws ProviderUnavailable when the document is missing, or names another issuer (Discovery 1.0, 4.3) */
async function discover(fetch: Outbound, issuer: string): Promise<Discovered> {
  const response = await discoveryRequest(new URL(issuer), throughOutbound(fetch));
  const found: unknown = await processDiscoveryResponse(new URL(issuer), response).catch((cause: unknown) => {
    throw new ProviderUnavailable(`${issuer} has no discovery document (status ${response.status}).`, { cause });
  });
  const parsed = document.safeParse(found);
  if (!parsed.success)
    throw new ProviderUnavailable(`The discovery document of ${issuer} is incomplete.`, { cause: parsed.error });
  // The library compares parsed URLs. Tokens name the issuer as text.
  if (parsed.data.issuer !== issuer)
    throw new ProviderUnavailable(`The discovery document is of \`${parsed.data.issuer}\`, not of OIDC_ISSUER.`);
  // An https issuer may not use http endpoints, which receive the client's secret and tokens.
  const { authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint = issuer } = parsed.data;
  const plain = [authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint].find((url) =>
    url.startsWith("http:"),
  );
  if (issuer.startsWith("https:") && plain !== undefined)
    throw new ProviderUnavailable(`The provider's endpoint ${plain} does not use https.`);
  return parsed.data;
}
