import { revokeTokens } from "@/lib/calls/linked-accounts/token-requests";
import type { LinkEnded } from "@/lib/contracts/people/linked-account";
import type { Outbound } from "@/lib/outbound/fetch";
import { outbound } from "@/lib/outbound/fetch";
import { sweepAttempts } from "@/lib/store/keys/link-attempts";
import {
  deleteLink,
  endedLinks,
  endLink,
  isRefreshing,
  noteFailedRevocation,
  type LinkedAccount,
  type LinkTarget,
} from "@/lib/store/keys/linked-accounts";
import type { Actor } from "@/lib/store/save/write";
import { log } from "@/lib/telemetry/log";

/** Milliseconds for which a revocation that failed is repeated. Then the tokens are deleted here only. */
const TRY_MS = 24 * 60 * 60_000;
/** The most accounts that one run of the job revokes. */
const BATCH = 20;

/**
 * Ends a person's linked account: no later call uses it. Then asks the upstream to revoke its tokens.
 *
 * @returns `null` when there is none
 */
export async function unlink(actor: Actor, target: LinkTarget, send: Outbound, now: number): Promise<LinkEnded | null> {
  const account = await endLink(actor, target, new Date(now));
  return account === null ? null : { upstream: await revoke(account, send, now) };
}

async function revoke(account: LinkedAccount, send: Outbound, now: number): Promise<LinkEnded["upstream"]> {
  const { id, source, grant } = account;
  // A refresh that is running would store new tokens after the present ones are revoked.
  if (isRefreshing(account, now)) return "later";
  try {
    const revoked = grant === null ? "not_offered" : await revokeTokens(grant, send);
    await deleteLink(id);
    return revoked;
  } catch (error) {
    log.warn({ source, err: error }, "The tokens of a linked account that ended could not be revoked yet.");
    return "later";
  }
}

/**
 * Revokes the tokens of accounts that ended with their person or their source, and of those whose revocation failed, for a
 * day. Deletes attempts that nobody finished.
 */
export async function endLinks(now: Date, send: Outbound = outbound): Promise<void> {
  await sweepAttempts(now);
  // At once: a server that does not answer takes seconds for each account.
  await Promise.all(
    (await endedLinks(BATCH)).map(async (account) => {
      if ((await revoke(account, send, now.getTime())) !== "later") return;
      if (now.getTime() - account.endedAt.getTime() > TRY_MS) await deleteLink(account.id);
      else await noteFailedRevocation(account.id, now);
    }),
  );
}
