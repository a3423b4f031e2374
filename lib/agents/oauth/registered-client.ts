import type { Snapshot } from "@/lib/store/snapshot/build";

/** The grant type of an identity assertion (RFC 7523). */
export const IDENTITY_ASSERTION = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/** The OAuth metadata of a registered client (RFC 7591, 2); `null` = there is none, or it is disabled. */
export function registeredClient(id: string, { signIn }: Pick<Snapshot, "signIn">): object | null {
  const client = signIn?.clients.get(id);
  if (client?.enabled !== true) return null;
  const { name, description, redirectUris, agent, jwks } = client;
  const signsIn = redirectUris.length > 0;
  return {
    client_id: name,
    client_name: description === "" ? name : description,
    redirect_uris: redirectUris,
    response_types: signsIn ? ["code"] : [],
    grant_types: [
      ...(signsIn ? ["authorization_code", "refresh_token"] : []),
      ...(agent === null ? [] : ["client_credentials"]),
      ...(jwks === null ? [] : [IDENTITY_ASSERTION]),
    ],
    token_endpoint_auth_method: jwks === null ? "none" : "private_key_jwt",
    ...(jwks !== null && { jwks }),
  };
}
