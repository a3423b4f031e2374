import type { Registry } from "@/lib/auth/agents/caller";
import { isInForce, tokenKey } from "@/lib/resources/revocation";

/**
 * Whether a token was revoked by (iss, jti) (6-promises, Tokens). One without a `jti` cannot be.
 *
 * @param now epoch milliseconds
 */
export function isRevoked(
  { revocations }: Pick<Registry, "revocations">,
  iss: string,
  jti: string | null,
  now: number,
): boolean {
  if (jti === null || revocations.size === 0) return false;
  const until = revocations.get(tokenKey(iss, jti));
  return until !== undefined && isInForce(until, now);
}
