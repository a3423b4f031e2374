import { db } from "@/lib/store/database";
import type { PrismaClient } from "@/lib/store/generated/client";
import { translated } from "@/lib/store/translate";

const MINUTE = 60_000;

/** How many failures a window lets through (6-promises, Sign-in). */
export const SIGN_IN_LIMITS = {
  account: { failures: 5, windowMs: 15 * MINUTE },
  address: { failures: 30, windowMs: MINUTE },
} as const;

/**
 * Counts one more attempt, if the account and the address may have one. Both are locked while they are
 * counted, so that guesses made at once, on any instance, are counted one by one; the windows slide.
 *
 * @param account digest of the account's name
 * @param now epoch milliseconds
 * @returns whether the password may be looked at
 */
export async function admitAttempt(account: string, address: string, now: number): Promise<boolean> {
  const { account: perAccount, address: perAddress } = SIGN_IN_LIMITS;
  const counted = db().$transaction(async (tx) => {
    // In one order everywhere: two attempts that share both keys must not wait for each other.
    for (const key of [`account:${account}`, `address:${address}`].toSorted())
      await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${`sign-in ${key}`}, 0))`;
    await sweep(tx, new Date(now - perAccount.windowMs));
    const ofAccount = await tx.signInAttempt.count({
      where: { account, at: { gt: new Date(now - perAccount.windowMs) } },
    });
    const ofAddress = await tx.signInAttempt.count({
      where: { address, at: { gt: new Date(now - perAddress.windowMs) } },
    });
    if (ofAccount >= perAccount.failures || ofAddress >= perAddress.failures) return false;
    await tx.signInAttempt.create({ data: { account, address, at: new Date(now) } });
    return true;
  });
  return translated(() => counted);
}

/** Drops what no window can see any more; rows that another attempt is dropping are left to it. */
async function sweep(tx: Pick<PrismaClient, "$executeRaw">, before: Date): Promise<void> {
  await tx.$executeRaw`
    delete from sign_in_attempt where id in (
      select id from sign_in_attempt where at <= ${before} limit 1000 for update skip locked)`;
}

/** Forgets an account's attempts after the right password; the address keeps those on other accounts. */
export async function forgetAttempts(account: string): Promise<void> {
  await translated(() => db().signInAttempt.deleteMany({ where: { account } }));
}
