import type { Registry } from "@/lib/auth/agents/caller";
import { isInForce, tokenKey } from "@/lib/contracts/people/revocation";

/**
 * Whether a token is revoked by its `iss` and its `jti`, or by the `tokenDigest` that replaces a missing `jti`.
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
