import { z } from "zod";
import { fromJson, isObject } from "@/lib/access/model/json";
import { flawIn } from "@/lib/access/model/storable";

// Dynamic client registration (RFC 7591) with less than oidc-provider accepts: what a registration may state is what a client
// document may state, and a client never gets a shared secret.

/** The deepest nesting of the metadata: a key set has lists of texts inside keys. */
const MAX_DEPTH = 8;

/** The metadata that a registration keeps. A server may replace the rest (RFC 7591, 3.2.1). */
const metadata = z.object({
  redirect_uris: z.array(z.string().max(2048)).min(1).max(20),
  client_name: z.string().max(200).optional(),
  token_endpoint_auth_method: z.string().max(64).optional(),
  token_endpoint_auth_signing_alg: z.string().max(16).optional(),
  jwks: z
    .looseObject({ keys: z.array(z.looseObject({})).min(1).max(20) })
    .refine(({ keys }) => !keys.some((key) => "d" in key || "k" in key), "give public keys only")
    .optional(),
  jwks_uri: z
    .url({ protocol: /^https$/ })
    .max(2048)
    .optional(),
});

/** A body for oidc-provider, or the error of a request that is refused. */
type Registration =
  | { readonly ok: true; readonly body: string }
  | { readonly ok: false; readonly error: { readonly error: string; readonly error_description: string } };

/**
 * Reads a registration. Clients that ask for a shared secret become public clients, because MCP clients ask for one by habit;
 * grant types that registered clients cannot have are left out.
 */
export function readRegistration(text: string): Registration {
  const stated = fromJson(text);
  if (!isObject(stated)) return refused("invalid_client_metadata", "The body must be a JSON object.");
  if ("software_statement" in stated)
    return refused("unapproved_software_statement", "Software statements are not accepted: omit this field.");
  const result = metadata.safeParse(stated);
  if (!result.success) {
    const [issue] = result.error.issues;
    return refusedField(String(issue?.path[0] ?? ""), issue?.message);
  }
  const flaw = flawIn(result.data, MAX_DEPTH);
  if (flaw !== null) return refusedField(String(flaw.keys[0] ?? ""), flaw.message);
  const { token_endpoint_auth_method: method, ...rest } = result.data;
  const body = { ...rest, token_endpoint_auth_method: method === "private_key_jwt" ? method : "none" };
  return { ok: true, body: JSON.stringify(body) };
}

function refusedField(field: string, message: string | undefined): Registration {
  const code = field === "redirect_uris" ? "invalid_redirect_uri" : "invalid_client_metadata";
  return refused(code, `\`${field}\`: ${message}`);
}

function refused(error: string, description: string): Registration {
  return { ok: false, error: { error, error_description: description } };
}
