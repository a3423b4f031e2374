import { z } from "zod";
import { instant } from "@/lib/resources/parts/name";

/** Tokens are accepted up to 30 s after their `exp` (docs/reference/promises.md): a revocation until then outlasts them by this. */
const GRACE_MS = 60_000;

/** A token's `jti`, as the door bounds it. */
const jti = z.string().min(1, "state the token's `jti`").max(512);

/** Which token of an issuer: `DELETE /api/admin/issuers/{name}/revocations?jti=…`. */
export const revocationTarget = z.strictObject({ jti });

/** `POST /api/admin/issuers/{name}/revocations`: a token not to be accepted any more. */
export const revocationInput = z.strictObject({
  jti,
  /** When the token has expired by itself, so that nothing need be remembered; absent = 24 hours from now. */
  until: instant.nullable().default(null),
  /** Why, for whoever reads the list later. */
  reason: z.string().max(500).default(""),
});

/** A revocation in force. */
export const revocationRow = z.object({
  jti: z.string(),
  until: z.iso.datetime(),
  by: z.string(),
  reason: z.string(),
  since: z.iso.datetime(),
});

/** An issuer's revocations in force. */
export const revocationList = z.object({ items: z.array(revocationRow) });

/** A token to revoke. */
export type RevocationInput = z.output<typeof revocationInput>;
/** A revocation in force. */
export type RevocationRow = z.output<typeof revocationRow>;

/** Whether a revocation still counts. `until` as ISO 8601, `now` in epoch milliseconds. */
export function isInForce(until: string, now: number): boolean {
  return now < Date.parse(until) + GRACE_MS;
}

/** What identifies a token: its `iss` and `jti` together, as one text. */
export function tokenKey(iss: string, jtiOfToken: string): string {
  return JSON.stringify([iss, jtiOfToken]);
}
