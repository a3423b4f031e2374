import { setTimeout as delay } from "node:timers/promises";
import { admit } from "@/lib/auth/openid/admit";
import { findOpenIdProvider } from "@/lib/auth/openid/provider";
import { proveAgain } from "@/lib/auth/openid/redeem";
import { env } from "@/lib/env";
import { claimOpenIdGrant, dropOpenIdGrant, replaceOpenIdGrant } from "@/lib/store/people/openid-grants";
import { endSessions, findUser, type StoredUser } from "@/lib/store/config/users";
import { log } from "@/lib/telemetry/log";

/** Milliseconds to wait for another process that checks the same person. */
const WAIT_MS = 3_000;
const POLL_MS = 200;

/** Milliseconds after a failure before a person is checked again. */
const RETRY_AFTER_MS = 15_000;

const underWay = new Map<string, Promise<void>>();
const pausedUntil = new Map<string, number>();

/**
 * The user, if the provider's last confirmation is younger than OIDC_RECHECK_MINUTES; a password user unchanged. Checks in
 * the background from half that age, and before the answer from the full age. When the check fails, nobody gets in.
 *
 * @param now epoch milliseconds
 * @param validForMs for a token: the confirmation must still be young enough when the token expires
 */
export async function freshUser(user: StoredUser, now: number, validForMs = 0): Promise<StoredUser | null> {
  if (user.issuer === null) return user;
  if (user.openIdRefused) return null;
  const largestAge = limitMs() - validForMs;
  if (ageOf(user, now) < largestAge / 2) return user;
  const rechecking = recheckOnce(user, now);
  if (ageOf(user, now) < largestAge) return user;
  await rechecking;
  const again = await findUser(user.id);
  return again !== null && !again.openIdRefused && ageOf(again, now) < largestAge ? again : null;
}

/**
 * Checks a person in the background when the last check is older than OIDC_RECHECK_MINUTES. Their personal tokens work
 * without them, and end when the provider refuses them.
 */
export function recheckBeside(user: StoredUser, now: number): void {
  if (user.issuer !== null && ageOf(user, now) >= limitMs()) void recheckOnce(user, now);
}

function limitMs(): number {
  return env.OIDC_RECHECK_MINUTES * 60_000;
}

function ageOf({ openIdCheckedAt }: StoredUser, now: number): number {
  return openIdCheckedAt === null ? Infinity : now - openIdCheckedAt.getTime();
}

/** Runs one check of a person at a time. Never rejects. */
function recheckOnce(user: StoredUser, now: number): Promise<void> {
  const known = underWay.get(user.id);
  if (known !== undefined) return known;
  if (!user.canAskOpenId || now < (pausedUntil.get(user.id) ?? 0)) return Promise.resolve();
  const rechecking = recheck(user, now)
    .then(() => void pausedUntil.delete(user.id))
    .catch((error: unknown) => {
      pausedUntil.set(user.id, now + RETRY_AFTER_MS);
      log.warn({ err: error }, "A person could not be checked again at the OpenID provider.");
    })
    .finally(() => underWay.delete(user.id));
  underWay.set(user.id, rechecking);
  return rechecking;
}

async function recheck(user: StoredUser, now: number): Promise<void> {
  // Another check may have ended since the user was read.
  if (await wasCheckedSince(user)) return;
  const grant = await claimOpenIdGrant(user.id, now);
  if (grant === null) return waitForOthers(user);
  if (grant === "unusable") return;
  const provider = await findOpenIdProvider();
  if (provider === null || provider.settings.issuer !== user.issuer) return;
  const proven = await proveAgain(provider, user.subject ?? "", grant, now, (tokens) =>
    replaceOpenIdGrant(user.id, tokens, now),
  );
  if (proven === "unknown") return;
  if (proven === "refused") {
    // A refused refresh token may just be too old. So sessions end, but personal tokens stay.
    return (await dropOpenIdGrant(user.id, now)) ? endSessions(user.id, user.sessionEpoch) : undefined;
  }
  const refusal = await admit(proven, provider.settings, now, "recheck");
  if (refusal !== null)
    log.warn({ refusal, user: user.name }, "The OpenID provider does not vouch for a person any more.");
}

async function waitForOthers(user: StoredUser): Promise<void> {
  for (let waited = 0; waited < WAIT_MS; waited += POLL_MS) {
    await delay(POLL_MS);
    if (await wasCheckedSince(user)) return;
  }
}

async function wasCheckedSince({ id, openIdCheckedAt }: StoredUser): Promise<boolean> {
  const again = await findUser(id);
  return again === null || again.openIdRefused || again.openIdCheckedAt?.getTime() !== openIdCheckedAt?.getTime();
}
