import { env } from "@/lib/env";
import { clientKeys, type ClientJwk } from "@/lib/store/keys/client-keys";

/** The client documents: one without authentication, and one that signs (`private_key_jwt`). */
type ClientDocumentName = "public" | "signed";

/** Metadata of Quartermaster as an OAuth client (RFC 7591, 2). */
interface ClientMetadata {
  readonly client_name: string;
  /** Servers of OpenID Connect check redirect addresses by it, and MCP demands it of registrations. */
  readonly application_type: "web";
  readonly redirect_uris: [string];
  readonly grant_types: ["authorization_code", "refresh_token"];
  readonly response_types: ["code"];
  readonly token_endpoint_auth_method: "none" | "private_key_jwt" | "client_secret_basic" | "client_secret_post";
  readonly token_endpoint_auth_signing_alg?: "ES256";
  readonly jwks?: { readonly keys: ClientJwk[] };
}

/** The address to which an upstream's sign-in sends the browser back. */
export function redirectUri(): string {
  return new URL("/api/linked-accounts/callback", env.NEXTAUTH_URL).href;
}

/** The page of a source where a person links their account. */
export function connectUrl(source: string): string {
  return new URL(`/admin/linked-accounts/${encodeURIComponent(source)}`, env.NEXTAUTH_URL).href;
}

/**
 * The client id that is the address of our client document (draft-ietf-oauth-client-id-metadata-document); `null` when our
 * public address is not https, which the draft requires.
 */
export function documentClientId(name: ClientDocumentName): string | null {
  const url = documentAddress(name);
  return url.startsWith("https:") ? url : null;
}

function documentAddress(name: ClientDocumentName): string {
  return new URL(`/api/linked-accounts/clients/${name}`, env.NEXTAUTH_URL).href;
}

/** What an authorization server reads at that address. */
export function clientDocument(name: ClientDocumentName): ClientMetadata & { readonly client_id: string } {
  return { client_id: documentAddress(name), ...clientMetadata(name === "public" ? "none" : "private_key_jwt") };
}

/** Our metadata for a way to authenticate at the token endpoint. */
export function clientMetadata(method: ClientMetadata["token_endpoint_auth_method"]): ClientMetadata {
  return {
    client_name: "Quartermaster",
    application_type: "web",
    redirect_uris: [redirectUri()],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: method,
    ...(method === "private_key_jwt" && {
      token_endpoint_auth_signing_alg: "ES256",
      jwks: { keys: clientKeys().map(({ jwk }) => jwk) },
    }),
  };
}
