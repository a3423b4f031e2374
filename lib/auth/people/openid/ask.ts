import type { JsonObject } from "@/lib/access/model/configuration";
import { parseStrictJson } from "@/lib/auth/agents/strict-json";
import type { Outbound, OutboundRequest } from "@/lib/outbound/fetch";

/** Limits of one request to the provider, in milliseconds and bytes. */
const LIMITS = { totalMs: 5_000, maxBytes: 256 * 1024 } as const;

/** The provider cannot be reached or does not follow the protocol. The person may try again later. */
export class ProviderUnavailable extends Error {
  override readonly name = "ProviderUnavailable";
}

/** The provider's answer: a JSON object and its status. */
export interface ProviderAnswer {
  readonly status: number;
  readonly fields: JsonObject;
}

/**
 * Requests JSON from the provider, through the guarded outbound client.
 *
 * @throws ProviderUnavailable without an answer, for a status of 500 or more, and for an answer that is no JSON object
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
