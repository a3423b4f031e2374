import { compactVerify, errors, type CryptoKey } from "jose";
import type { JsonObject } from "@/lib/access/model/configuration";
import { OWN_ISSUER } from "@/lib/access/model/claims";
import type { Registry } from "@/lib/auth/agents/caller";
import type { IssuerKeys } from "@/lib/auth/agents/issuer-keys";
import { knownToken, rememberToken } from "@/lib/auth/agents/known-tokens";
import { ownIssuer } from "@/lib/auth/agents/own-issuer";
import { ignoreChecks, type CheckReporter } from "@/lib/auth/agents/check-reporter";
import { refuseCredential } from "@/lib/auth/agents/refusal";
import { requireClaims, quotedClaim, type RegisteredClaims } from "@/lib/auth/agents/token-claims";
import { readTokenParts, type TokenParts } from "@/lib/auth/agents/token-parts";
import type { IssuerRow } from "@/lib/resources/issuer";

interface VerifiedToken extends RegisteredClaims {
  readonly issuer: IssuerRow;
  readonly claims: JsonObject;
}

/**
 * Verifies a token of a configured issuer (RFC 7519, RFC 8725; docs/reference/promises.md#tokens). Checks shape, issuer,
 * algorithm and type, key, signature and claims, in this order; the first failure is the answer. For a cached token it
 * skips the shape, and the signature under the same key.
 *
 * @param now epoch milliseconds
 * @param report called with each check
 * @throws AppError `unauthenticated`
 */
export async function verifyToken(
  token: string,
  registry: Registry,
  keys: IssuerKeys,
  now: number,
  report: CheckReporter = ignoreChecks,
): Promise<VerifiedToken> {
  const known = knownToken(token);
  report("form", () => `${token.length} characters in ${token.split(".").length} segments.`);
  const parts = known?.parts ?? requireParts(token);
  const issuer = requireIssuer(registry, parts, report);
  report("algorithm", () => `Its \`alg\` is ${quotedClaim(parts.alg)}; accepted: ${issuer.algorithms.join(", ")}.`);
  if (!(issuer.algorithms as readonly string[]).includes(parts.alg))
    throw refuseCredential("The token's algorithm is not among those configured for its issuer.");
  report("type", () => `Its \`typ\` is ${quotedClaim(parts.typ)}; accepted: ${issuer.types.join(", ")}.`);
  if (!issuer.types.includes(parts.typ))
    throw refuseCredential("The token's `typ` is not among those configured for its issuer.");
  const key = await requireSignature(token, parts, issuer, keys, report, known?.key);
  if (key !== known?.key) rememberToken(token, { parts, key });
  return { issuer, claims: parts.payload, ...requireClaims(parts, issuer, now, report) };
}

function requireParts(token: string): TokenParts {
  try {
    return readTokenParts(token);
  } catch (cause) {
    throw refuseCredential("The credential is neither an API key nor a well-formed signed token.", cause);
  }
}

function requireIssuer(
  registry: Registry,
  { ownKeys, payload: { iss } }: TokenParts,
  report: CheckReporter,
): IssuerRow {
  report("ownKeys", () =>
    ownKeys.length === 0
      ? "The header contains no key and no address of a key."
      : `Its header has \`${ownKeys.join("`, `")}\`. Quartermaster never reads it: keys come only from the configuration of the issuer.`,
  );
  const own = ownIssuer(registry);
  const issuers = own === null ? [...registry.issuers.values()] : [...registry.issuers.values(), own];
  const found = issuers.filter((row) => row.enabled && row.issuer === iss);
  const [issuer] = found;
  const whose =
    issuer === undefined
      ? "no enabled issuer has exactly this value"
      : found.length > 1
        ? `several enabled issuers have it: ${found.map(({ name }) => `\`${name}\``).join(", ")}`
        : `that is \`${issuer.name}\``;
  report("issuer", () => `Its \`iss\` is ${quotedClaim(iss)}; ${whose}.`);
  // Only API keys use our own name as issuer.
  if (issuer === undefined || found.length > 1 || iss === OWN_ISSUER)
    throw refuseCredential("The token's issuer is not configured here.");
  return issuer;
}

/** The issuer's key that signed the token. Tries once more with freshly fetched keys, in case the issuer has rotated. */
async function requireSignature(
  token: string,
  parts: TokenParts,
  issuer: IssuerRow,
  keys: IssuerKeys,
  report: CheckReporter,
  knownKey: CryptoKey | undefined,
): Promise<CryptoKey> {
  const reportKey = () =>
    report(
      "key",
      () => `It names the \`kid\` ${parts.kid === null ? "none" : quotedClaim(parts.kid)}. ${keys.describe(issuer)}`,
    );
  let tried: CryptoKey | null = null;
  for (const again of [false, true]) {
    const key = await keys.find(issuer, parts, again);
    if (key === null || key === tried) continue;
    tried = key;
    reportKey();
    report("signature", () => `Checked as ${parts.alg} with that key.`);
    if (key === knownKey || (await isSigned(token, key, parts.alg))) return key;
  }
  if (tried === null) reportKey();
  // The same answer for an unknown key and a wrong signature, so that it reveals nothing about existing keys.
  throw refuseCredential("The token is not signed by a key of its issuer.");
}

/** Whether the key signed a compact JWS with exactly this algorithm (RFC 7515, 5.2). */
export async function isSigned(token: string, key: CryptoKey, alg: string): Promise<boolean> {
  try {
    await compactVerify(token, key, { algorithms: [alg] });
    return true;
  } catch (cause) {
    if (cause instanceof errors.JWSSignatureVerificationFailed) return false;
    throw refuseCredential("The token could not be verified.", cause);
  }
}
