import { open, seal } from "@/lib/store/keys/cipher";
import { db } from "@/lib/store/db/database";

/** Tokens with which the server can ask a provider about a person again. */
export interface OpenIdGrant {
  readonly refreshToken: string | null;
  readonly accessToken: string | null;
  /** The `nonce` of the sign-in. A refreshed ID token must not contradict it (OpenID Connect Core 1.0, 12.2). */
  readonly nonce: string;
}

/** Milliseconds for which no other process asks about the same person. */
const CLAIM_MS = 15_000;

/** Records that the provider has just confirmed a person, and stores the tokens for the next check. */
export async function keepOpenIdGrant(id: string, grant: OpenIdGrant, now: number): Promise<void> {
  const isUsable = grant.refreshToken !== null || grant.accessToken !== null;
  const openIdGrant = isUsable ? sealed(id, grant) : null;
  const data = { openIdGrant, openIdCheckedAt: new Date(now), openIdClaimedAt: null, openIdRefused: false };
  await db().user.updateMany({ where: { id }, data });
}

/**
 * Claims the next provider check of a person for 15 s. After a failure, this time is also a pause.
 *
 * @returns the tokens, `"unusable"` when there are none; `null` = another process checks, or has just checked
 */
export async function claimOpenIdGrant(id: string, now: number): Promise<OpenIdGrant | "unusable" | null> {
  const free = { OR: [{ openIdClaimedAt: null }, { openIdClaimedAt: { lt: new Date(now - CLAIM_MS) } }] };
  const claimed = await db().user.updateManyAndReturn({
    where: { id, ...free },
    data: { openIdClaimedAt: new Date(now) },
    select: { openIdGrant: true },
  });
  const [row] = claimed;
  if (row === undefined) return null;
  const text = row.openIdGrant === null ? null : open("openid", row.openIdGrant, id);
  return text === null ? "unusable" : (JSON.parse(text) as OpenIdGrant);
}

/**
 * Stores the tokens that replace those of a claim, which have confirmed nobody yet. A sign-in or a refusal since the claim
 * counts instead.
 */
export async function replaceOpenIdGrant(id: string, grant: OpenIdGrant, claimedAt: number): Promise<void> {
  const where = { id, openIdClaimedAt: new Date(claimedAt), openIdRefused: false };
  await db().user.updateMany({ where, data: { openIdGrant: sealed(id, grant) } });
}

function sealed(id: string, grant: OpenIdGrant): string {
  return seal("openid", JSON.stringify(grant), id);
}

/** Records that the provider refuses a person. Their access tokens stop working too. */
export async function refuseOpenIdUser(id: string): Promise<void> {
  await db().user.updateMany({ where: { id }, data: { openIdRefused: true, openIdGrant: null } });
}

/**
 * Deletes the tokens of a claim because the provider no longer accepts them. Returns false, and changes nothing, after a
 * sign-in since the claim: its tokens count.
 */
export async function dropOpenIdGrant(id: string, claimedAt: number): Promise<boolean> {
  const where = { id, openIdClaimedAt: new Date(claimedAt) };
  return (await db().user.updateMany({ where, data: { openIdGrant: null } })).count > 0;
}
