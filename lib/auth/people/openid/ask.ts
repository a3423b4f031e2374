import type { JsonObject } from "@/lib/access/model/configuration";
import { parseStrictJson } from "@/lib/auth/agents/strict-json";
import type { Outbound, OutboundRequest } from "@/lib/outbound/fetch";

/** Bounds of one request to the provider, in milliseconds and bytes. */
const LIMITS = { totalMs: 5_000, maxBytes: 256 * 1024 } as const;

/** The provider cannot be reached, or does not do its part; whoever signs in may try again later. */
export class ProviderUnavailable extends Error {
  override readonly name = "ProviderUnavailable";
}

/** What the provider answered: a JSON object and its status. */
export interface ProviderAnswer {
  readonly status: number;
  readonly fields: JsonObject;
}

/**
 * Asks the provider for JSON, through the one way out of the house.
 *
 * @throws ProviderUnavailable for no answer, one of 500 or more, and one that is no JSON object
 */
export async function askProvider(fetch: Outbound, request: OutboundRequest): Promise<ProviderAnswer> {
  try {
    const answer = await fetch({ ...request, headers: { accept: "application/json", ...request.headers }, ...LIMITS });
    if (answer.status >= 500) throw new Error(`status ${answer.status}`);
    return { status: answer.status, fields: parseStrictJson(answer.body) };
  } catch (cause) {
    throw new ProviderUnavailable(`${new URL(request.url).origin} did not answer as an OpenID provider.`, { cause });
  }
}
