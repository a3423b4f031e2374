import { open, seal } from "@/lib/store/keys/cipher";
import { db } from "@/lib/store/db/database";
import { translated } from "@/lib/store/db/translate";

/** With what a provider can be asked about someone again. */
export interface OpenIdGrant {
  readonly refreshToken: string | null;
  readonly accessToken: string | null;
  /** The `nonce` of the sign-in, which a refreshed ID token must not contradict (OpenID Connect Core 1.0, 12.2). */
  readonly nonce: string;
}

/** Milliseconds for which nobody else asks about the same person. */
const CLAIM_MS = 15_000;

/** Notes that the provider has just vouched for someone, and keeps what it takes to ask again. */
export async function keepOpenIdGrant(id: string, grant: OpenIdGrant, now: number): Promise<void> {
  const isUsable = grant.refreshToken !== null || grant.accessToken !== null;
  const openIdGrant = isUsable ? seal("openid", JSON.stringify(grant), id) : null;
  const data = { openIdGrant, openIdCheckedAt: new Date(now), openIdClaimedAt: null, openIdRefused: false };
  await translated(() => db().user.updateMany({ where: { id }, data }));
}

/**
 * Makes this process the one that asks the provider about someone, for 15 s. After a failure the time is a pause as well.
 *
 * @returns what to ask with, `"unusable"` when there is nothing; `null` = another process asks, or asked just now
 */
export async function claimOpenIdGrant(id: string, now: number): Promise<OpenIdGrant | "unusable" | null> {
  const free = { OR: [{ openIdClaimedAt: null }, { openIdClaimedAt: { lt: new Date(now - CLAIM_MS) } }] };
  const claimed = await translated(() =>
    db().user.updateManyAndReturn({
      where: { id, ...free },
      data: { openIdClaimedAt: new Date(now) },
      select: { openIdGrant: true },
    }),
  );
  const [row] = claimed;
  if (row === undefined) return null;
  const text = row.openIdGrant === null ? null : open("openid", row.openIdGrant, id);
  return text === null ? "unusable" : (JSON.parse(text) as OpenIdGrant);
}

/** Notes that the provider says of someone that they may not come in: their access tokens end too. */
export async function refuseOpenIdUser(id: string): Promise<void> {
  await translated(() => db().user.updateMany({ where: { id }, data: { openIdRefused: true, openIdGrant: null } }));
}

/** Forgets with what to ask about someone: the provider takes it no more. */
export async function dropOpenIdGrant(id: string): Promise<void> {
  await translated(() => db().user.updateMany({ where: { id }, data: { openIdGrant: null } }));
}
