import { createHash } from "node:crypto";
import { boundClaims } from "@/lib/access/model/claims";
import type { Json, JsonObject } from "@/lib/access/model/configuration";
import type { CheckReporter } from "@/lib/auth/agents/check-reporter";
import { refuseCredential } from "@/lib/auth/agents/refusal";
import type { TokenParts } from "@/lib/auth/agents/token-parts";
import type { IssuerRow } from "@/lib/resources/issuer";

/** Accepted clock difference in seconds (docs/reference/promises.md#tokens). */
export const SKEW_SECONDS = 30;

/** Longest `sub` and `jti`, in characters. */
const MAX_NAME = 512;

/** Values of `typ` or `token_use` in tokens that are not access tokens (Keycloak, Cognito). */
const OTHER_KINDS: ReadonlySet<unknown> = new Set(["id", "refresh", "offline", "logout"]);

/** Values of `typ` or `token_use` in access tokens (Keycloak, Cognito). */
const ACCESS_KINDS: ReadonlySet<unknown> = new Set(["Bearer", "access"]);

/** The registered claims of a verified token (RFC 7519, 4.1). */
export interface RegisteredClaims {
  readonly subject: string;
  /** `jti`, or the `tokenDigest` that replaces a missing one. Revocations use it. */
  readonly jti: string | null;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/**
 * Checks the claims of a signed token: audience, times, subject, id, purpose and size.
 *
 * @param now epoch milliseconds
 * @throws AppError `unauthenticated`
 */
export function requireClaims(
  { payload: claims, typ: headerType }: Pick<TokenParts, "payload" | "typ">,
  issuer: IssuerRow,
  now: number,
  report: CheckReporter,
): RegisteredClaims {
  const { aud, sub } = claims;
  // An empty id names no token: a revocation by it would be impossible.
  const jti = claims["jti"] === undefined || claims["jti"] === "" ? null : claims["jti"];
  report("audience", () => `Its \`aud\` is ${quotedClaim(aud)}; \`${issuer.audience}\` is expected.`);
  if (aud !== issuer.audience && !(Array.isArray(aud) && aud.includes(issuer.audience)))
    throw refuseCredential("The token's `aud` claim is missing or not accepted.");
  const expiresAt = requireTimes(claims, issuer.maxTokenAgeSeconds, now / 1000, report) * 1000;
  report("subject", () => `Its \`sub\` is ${quotedClaim(sub)}.`);
  if (typeof sub !== "string" || sub === "" || sub.length > MAX_NAME)
    throw refuseCredential(`The token's \`sub\` claim must be text of 1 to ${MAX_NAME} characters.`);
  report("tokenId", () => {
    if (jti !== null) return `Its \`jti\` is ${quotedClaim(jti)}.`;
    const id = tokenDigest(claims["iat"], sub);
    return id === null
      ? "It has neither `jti` nor `iat`, so it cannot be revoked alone."
      : `It has no \`jti\`: revoke it as \`${id}\`.`;
  });
  if (jti !== null && (typeof jti !== "string" || jti.length > MAX_NAME))
    throw refuseCredential(`The token's \`jti\` claim must be text of at most ${MAX_NAME} characters.`);
  report(
    "purpose",
    () =>
      "Quartermaster recognizes ID, refresh and logout tokens by `at_hash`, `c_hash`, `nonce`, `typ` or `token_use`.",
  );
  if (isOtherKind(claims, headerType))
    throw refuseCredential("This is not an access token: ID and refresh tokens are rejected.");
  report("claims", () => `${Object.keys(claims).length} claims.`);
  const problem = boundClaims(claims);
  if (problem !== null) throw refuseCredential(`The token is refused: ${problem.problem}.`);
  return { subject: sub, jti: jti ?? tokenDigest(claims["iat"], sub), expiresAt };
}

/** @returns the end of the token in seconds: its `exp`, or its maximum age */
function requireTimes({ exp, nbf, iat }: JsonObject, maxAge: number, now: number, report: CheckReporter): number {
  report("expiry", () => `Its \`exp\` is ${instant(exp)}; ${SKEW_SECONDS} s of skew are allowed.`);
  if (typeof exp !== "number" || !Number.isFinite(exp))
    throw refuseCredential("The token's `exp` claim must be a number.");
  if (exp <= now - SKEW_SECONDS) throw refuseCredential("The token has expired.");
  report("notBefore", () => `Its \`nbf\` is ${instant(nbf)}.`);
  if (nbf !== undefined && !(typeof nbf === "number" && nbf <= now + SKEW_SECONDS))
    throw refuseCredential("The token's `nbf` claim is not a number, or lies in the future.");
  report("issuedAt", () => `Its \`iat\` is ${instant(iat)}; a token is accepted for ${maxAge} s after it.`);
  if (iat !== undefined && !(typeof iat === "number" && iat <= now + SKEW_SECONDS))
    throw refuseCredential("The token's `iat` claim is not a number, or lies in the future.");
  // Without an `iat` the age is unknown. Then the `exp` may be at most `maxAge` away.
  if (iat === undefined && exp > now + maxAge + SKEW_SECONDS)
    throw refuseCredential(
      "The token has no `iat` claim, and its `exp` is further away than its issuer's largest age.",
    );
  if (iat === undefined) return exp;
  if (iat <= now - maxAge - SKEW_SECONDS)
    throw refuseCredential(`The token is older than its issuer allows: ${maxAge} s after its \`iat\`.`);
  return Math.min(exp, iat + maxAge);
}

function isOtherKind(claims: JsonObject, headerType: string): boolean {
  const { typ, token_use: use } = claims;
  return (
    "at_hash" in claims ||
    "c_hash" in claims ||
    // An ID token of the code flow has a `nonce` and may lack `at_hash`. Old Keycloaks add a `nonce` to access tokens, with `typ`.
    ("nonce" in claims && headerType !== "at+jwt" && ![typ, use].some((kind) => ACCESS_KINDS.has(kind))) ||
    [typ, use].some((kind) => typeof kind === "string" && OTHER_KINDS.has(kind.toLowerCase()))
  );
}

/** A claim's value for a message, limited in length because tokens may contain anything. */
export function quotedClaim(value: Json | undefined): string {
  if (value === undefined) return "missing";
  const text = JSON.stringify(value);
  return `\`${text.length > 200 ? `${text.slice(0, 200)}…` : text}\``;
}

/** A time in epoch seconds for a message. */
function instant(value: Json | undefined): string {
  if (typeof value !== "number") return value === undefined ? "not stated" : quotedClaim(value);
  const date = new Date(value * 1000);
  return Number.isNaN(date.getTime()) ? quotedClaim(value) : date.toISOString();
}

/**
 * The id for revoking a token without a `jti`: `iat-sub:` and the SHA-256 (hex) of the JSON list of both claims. Not of
 * the token's text, because the issuer may sign the same claims again. `null` without valid `iat` and `sub`.
 */
function tokenDigest(iat: Json | undefined, sub: Json | undefined): string | null {
  if (typeof iat !== "number" || typeof sub !== "string") return null;
  return `iat-sub:${createHash("sha256")
    .update(JSON.stringify([iat, sub]))
    .digest("hex")}`;
}
