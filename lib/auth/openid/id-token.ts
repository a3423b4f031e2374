import { createHash } from "node:crypto";
import { errors, jwtVerify, type CryptoKey } from "jose";
import type { JsonObject } from "@/lib/access/model/configuration";
import { boundClaims } from "@/lib/access/model/claims";
import type { IssuerKeys } from "@/lib/auth/agents/issuer-keys";
import { readTokenParts, type TokenParts } from "@/lib/auth/agents/token-parts";
import { ALGORITHMS } from "@/lib/resources/issuer";

/** Accepted clock difference in seconds (docs/reference/promises.md#tokens). */
const SKEW_SECONDS = 30;

/** The expected content of an ID token. */
interface IdTokenExpectation {
  readonly issuer: string;
  readonly clientId: string;
  readonly jwksUri: string;
  /** The nonce of this browser's sign-in. */
  readonly nonce: string;
  /** Whether a refresh returned it. Then it may lack the `nonce` (OpenID Connect Core 1.0, 12.2). */
  readonly isRefreshed?: boolean;
}

/**
 * Verifies an ID token (OpenID Connect Core 1.0, 3.1.3.7) as strictly as agents' tokens (decision 3): an accepted
 * asymmetric algorithm, a key that the issuer publishes, exact `iss`, `aud` and `nonce`, not expired.
 *
 * @param now epoch milliseconds
 * @param accessToken the access token of the same answer, which `at_hash` must match if present (3.1.3.8)
 * @returns the claims, including `sub`
 * @throws Error that says what is wrong, for the log
 */
export async function verifyIdToken(
  token: string,
  expected: IdTokenExpectation,
  keys: IssuerKeys,
  now: number,
  accessToken: string | null,
): Promise<JsonObject & { readonly sub: string }> {
  const parts = readTokenParts(token);
  if (!(ALGORITHMS as readonly string[]).includes(parts.alg))
    throw new Error(`The algorithm \`${parts.alg}\` is refused.`);
  if (parts.typ !== "jwt") throw new Error(`A token of type \`${parts.typ}\` is no ID token.`);
  await requireSigned(token, parts, expected, keys, now);
  const { sub, aud, azp, nonce, at_hash: atHash } = parts.payload;
  if (typeof sub !== "string" || sub === "" || sub.length > 255)
    throw new Error("`sub` must be text of 1 to 255 characters.");
  const mayLackNonce = nonce === undefined && expected.isRefreshed === true;
  if (nonce !== expected.nonce && !mayLackNonce) throw new Error("`nonce` is not the one of this sign-in.");
  // A token for several audiences must name this client in `azp`.
  if ((Array.isArray(aud) && aud.length > 1) || azp !== undefined)
    if (azp !== expected.clientId) throw new Error("`azp` names another client.");
  if (atHash !== undefined && (accessToken === null || atHash !== halfDigest(accessToken, parts.alg)))
    throw new Error("`at_hash` is not that of the access token.");
  const problem = boundClaims(parts.payload);
  if (problem !== null) throw new Error(problem.problem);
  return { ...parts.payload, sub };
}

/** The left half of the access token's digest, with the hash of the ID token's algorithm (3.1.3.6). Ed25519 uses SHA-512. */
function halfDigest(accessToken: string, alg: string): string {
  const digest = createHash(alg === "EdDSA" ? "sha512" : `sha${alg.slice(2)}`)
    .update(accessToken)
    .digest();
  return digest.subarray(0, digest.length / 2).toString("base64url");
}

/** Tries once more with freshly fetched keys, in case the provider has rotated. */
async function requireSigned(
  token: string,
  parts: TokenParts,
  { issuer, clientId, jwksUri }: IdTokenExpectation,
  keys: IssuerKeys,
  now: number,
): Promise<void> {
  let tried: CryptoKey | null = null;
  for (const again of [false, true]) {
    const key = await keys.find({ name: "openid", jwks: null, jwksUri }, parts, again);
    if (key === null || key === tried) continue;
    tried = key;
    try {
      await jwtVerify(token, key, {
        algorithms: [parts.alg],
        issuer,
        audience: clientId,
        clockTolerance: SKEW_SECONDS,
        currentDate: new Date(now),
        requiredClaims: ["exp", "iat", "sub"],
      });
      return;
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
    }
  }
  throw new Error("The ID token is not signed by a key of the provider.");
}
