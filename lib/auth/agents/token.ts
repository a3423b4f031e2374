import { errors, jwtVerify, type CryptoKey } from "jose";
import { boundClaims } from "@/lib/access/claims";
import type { JsonObject } from "@/lib/access/configuration";
import { OWN_ISSUER, type Registry } from "@/lib/auth/agents/caller";
import type { IssuerKeys } from "@/lib/auth/agents/issuer-keys";
import { refuseCredential } from "@/lib/auth/agents/refusal";
import { readTokenParts, type TokenParts } from "@/lib/auth/agents/token-parts";
import type { IssuerRow } from "@/lib/resources/issuer";

/** Seconds by which clocks may differ (6-promises, Tokens). */
const SKEW_SECONDS = 30;

/** A token that is believed. */
export interface VerifiedToken {
  readonly issuer: IssuerRow;
  readonly claims: JsonObject;
  readonly subject: string;
  readonly jti: string | null;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/**
 * Verifies a token of a configured issuer (RFC 7519, RFC 8725; 6-promises, Tokens). Order: shape, issuer,
 * algorithm and type, key, signature, then what it claims; the first failure is the answer.
 *
 * @param now epoch milliseconds
 * @throws AppError `unauthenticated`
 */
export async function verifyToken(
  token: string,
  registry: Registry,
  keys: IssuerKeys,
  now: number,
): Promise<VerifiedToken> {
  const parts = requireParts(token);
  const issuer = findIssuer(registry, parts.payload["iss"]);
  if (!(issuer.algorithms as readonly string[]).includes(parts.alg))
    throw refuseCredential("The token's algorithm is not one that its issuer is configured for.");
  if (!issuer.types.includes(parts.typ))
    throw refuseCredential("The token's `typ` is not one that its issuer is configured for.");
  await requireSignature(token, parts, issuer, keys, now);
  return requireClaims(parts.payload, issuer, now);
}

function requireParts(token: string): TokenParts {
  try {
    return readTokenParts(token);
  } catch (cause) {
    throw refuseCredential("The credential is neither an API key nor a well-formed signed token.", cause);
  }
}

function findIssuer(registry: Registry, iss: unknown): IssuerRow {
  const found = [...registry.issuers.values()].filter((row) => row.enabled && row.issuer === iss);
  const [issuer] = found;
  // Under our own name only API keys speak.
  if (issuer === undefined || found.length > 1 || iss === OWN_ISSUER)
    throw refuseCredential("The token's issuer is not configured here.");
  return issuer;
}

/** One more try with freshly fetched keys: the issuer may have rotated. */
async function requireSignature(
  token: string,
  parts: TokenParts,
  issuer: IssuerRow,
  keys: IssuerKeys,
  now: number,
): Promise<void> {
  let tried: CryptoKey | null = null;
  for (const again of [false, true]) {
    const key = await keys.find(issuer, parts, again);
    if (key === null || key === tried) continue;
    tried = key;
    if (await isSigned(token, key, issuer, parts.alg, now)) return;
  }
  throw refuseCredential("The token is not signed by a key of its issuer.");
}

async function isSigned(token: string, key: CryptoKey, issuer: IssuerRow, alg: string, now: number): Promise<boolean> {
  try {
    await jwtVerify(token, key, {
      algorithms: [alg],
      issuer: issuer.issuer,
      audience: issuer.audience,
      clockTolerance: SKEW_SECONDS,
      currentDate: new Date(now),
      requiredClaims: ["exp", "sub"],
    });
    return true;
  } catch (cause) {
    if (cause instanceof errors.JWSSignatureVerificationFailed) return false;
    if (cause instanceof errors.JWTExpired) throw refuseCredential("The token has expired.", cause);
    if (cause instanceof errors.JWTClaimValidationFailed)
      throw refuseCredential(`The token's \`${cause.claim}\` claim is missing or not accepted.`, cause);
    throw refuseCredential("The token could not be verified.", cause);
  }
}

/** What only tokens that are not access tokens carry: hashes of an ID token, and the kinds that Keycloak and Cognito write. */
const OTHER_KINDS: ReadonlySet<unknown> = new Set(["id", "refresh", "offline", "logout"]);

function requireClaims(claims: JsonObject, issuer: IssuerRow, now: number): VerifiedToken {
  const { exp, iat, sub, jti = null, typ, token_use: use } = claims;
  if (typeof sub !== "string" || sub === "" || sub.length > 512)
    throw refuseCredential("The token's `sub` claim must be text of 1 to 512 characters.");
  if (typeof exp !== "number" || !Number.isFinite(exp))
    throw refuseCredential("The token's `exp` claim must be a number.");
  if (iat !== undefined && !(typeof iat === "number" && iat <= now / 1000 + SKEW_SECONDS))
    throw refuseCredential("The token's `iat` claim is not a number, or lies in the future.");
  if (jti !== null && (typeof jti !== "string" || jti.length > 512))
    throw refuseCredential("The token's `jti` claim must be text of at most 512 characters.");
  const isOtherKind =
    "at_hash" in claims ||
    "c_hash" in claims ||
    [typ, use].some((kind) => typeof kind === "string" && OTHER_KINDS.has(kind.toLowerCase()));
  if (isOtherKind) throw refuseCredential("This is not an access token: ID and refresh tokens do not open this door.");
  const problem = boundClaims(claims);
  if (problem !== null) throw refuseCredential(`The token is refused: ${problem.problem}.`);
  return { issuer, claims, subject: sub, jti, expiresAt: exp * 1000 };
}
