import { allowInsecureRequests, customFetch, type CustomFetchOptions } from "oauth4webapi";
import { parseStrictJson } from "@/lib/auth/agents/strict-json";
import type { Outbound } from "@/lib/outbound/fetch";

/** Limits of one request to the provider, in milliseconds and bytes. */
const LIMITS = { totalMs: 5_000, maxBytes: 256 * 1024 } as const;

/** The provider cannot be reached or does not follow the protocol. The person may try again later. */
export class ProviderUnavailable extends Error {
  override readonly name = "ProviderUnavailable";
}

/**
 * Options of the library's requests: they go through the guarded outbound client. http is allowed here, because
 * `openIdDiscovery` refuses it for an issuer on https.
 */
export function throughOutbound(outbound: Outbound) {
  const fetch = (url: string, request: ProviderRequest) => requestProvider(outbound, url, request);
  return { [customFetch]: fetch, [allowInsecureRequests]: true };
}

type ProviderRequest = CustomFetchOptions<"GET" | "POST", URLSearchParams | null | undefined>;

/**
 * Sends one request.
 *
 * @throws ProviderUnavailable without an answer, for a status of 500 or more, and for an answer that is no JSON object
 */
async function requestProvider(outbound: Outbound, url: string, request: ProviderRequest): Promise<Response> {
  const { accept = "application/json", authorization, "content-type": contentType } = request.headers;
  try {
    const { status, headers, body } = await outbound({
      url,
      method: request.method,
      headers: { accept, ...(contentType !== undefined && { "content-type": contentType }) },
      ...(authorization !== undefined && { credentials: { authorization } }),
      body: request.body?.toString() ?? null,
      ...LIMITS,
    });
    if (status >= 500) throw new Error(`status ${status}`);
    // The library reads JSON as `JSON.parse` does, so names that stand twice must be refused before.
    parseStrictJson(body);
    return new Response(new Uint8Array(body), { status, headers: { ...headers, "content-type": "application/json" } });
  } catch (cause) {
    throw new ProviderUnavailable(`${new URL(url).origin} did not answer as an OpenID provider.`, { cause });
  }
}
