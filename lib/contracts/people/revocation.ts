import { z } from "zod";
import { instant } from "@/lib/resources/parts/name";

/**
 * Tokens are accepted up to 30 s after their `exp` (docs/reference/promises.md). A revocation until `exp` therefore
 * lasts this much longer.
 */
const GRACE_MS = 60_000;

/** A token's `jti`, with the bound of the token verification. */
const jti = z.string().min(1, "state the token's `jti`").max(512);

/** The token whose revocation to delete: `DELETE /api/admin/issuers/{name}/revocations?jti=…`. */
export const revocationTarget = z.strictObject({ jti });

/** `POST /api/admin/issuers/{name}/revocations`: a token to refuse from now on. */
export const revocationInput = z.strictObject({
  jti,
  /**
   * When the token expires, after which the revocation can be forgotten. Absent = when no token that the issuer signs now is
   * accepted any more, and at least 24 hours from now.
   */
  until: instant.nullable().default(null),
  /** Why, for later readers of the list. */
  reason: z.string().max(500).default(""),
});

/** An active revocation. */
export const revocationRow = z.object({
  jti: z.string(),
  until: z.iso.datetime(),
  by: z.string(),
  reason: z.string(),
  since: z.iso.datetime(),
});

/** An issuer's active revocations. */
export const revocationList = z.object({ items: z.array(revocationRow) });

/** A token to revoke. */
export type RevocationInput = z.output<typeof revocationInput>;
/** An active revocation. */
export type RevocationRow = z.output<typeof revocationRow>;

/** Whether a revocation is active. `until` as ISO 8601, `now` in epoch milliseconds. */
export function isInForce(until: string, now: number): boolean {
  return now < Date.parse(until) + GRACE_MS;
}

/** The identity of a token as one text: its `iss` and `jti`. */
export function tokenKey(iss: string, jtiOfToken: string): string {
  return JSON.stringify([iss, jtiOfToken]);
}
