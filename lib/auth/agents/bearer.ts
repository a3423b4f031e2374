import { refuseCredential, requireCredential } from "@/lib/auth/agents/refusal";

/** Longest accepted credential, in characters. */
const MAX_CREDENTIAL = 16 * 1024;

/**
 * The credential of a request, only from `Authorization: Bearer` (RFC 6750, 2.1). Credentials in an address would end up
 * in logs and histories.
 *
 * @throws AppError `unauthenticated`
 */
export function readBearer(request: Request): string {
  if (request.url.includes("?") && new URL(request.url).searchParams.has("access_token"))
    throw requireCredential(
      "Send the credential as `Authorization: Bearer …`, never in the URL. Revoke this credential.",
    );
  const header = request.headers.get("authorization");
  if (header === null)
    throw requireCredential("Send `Authorization: Bearer …` with an API key or a token of a configured issuer.");
  return parseBearer(header);
}

/** Parses the credential of an `Authorization` header. @throws AppError `unauthenticated` */
export function parseBearer(header: string): string {
  if (header.length > MAX_CREDENTIAL + 16) throw refuseCredential("The credential is longer than 16 KiB.");
  const credential = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(header)?.[1];
  if (credential === undefined)
    throw refuseCredential("The Authorization header is not of the form `Bearer <credential>`.");
  if (credential.length > MAX_CREDENTIAL) throw refuseCredential("The credential is longer than 16 KiB.");
  return credential;
}
