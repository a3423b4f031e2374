import { networkOf } from "@/lib/access/model/addresses";
import { db } from "@/lib/store/db/database";
import type { PrismaClient } from "@/lib/store/generated/client";

const MINUTE = 60_000;

/**
 * Failures that a time window allows. `account` counts per address and per known device, so that other people's guesses do
 * not lock out the owner. `everywhere` limits guesses from many addresses together.
 */
const SIGN_IN_LIMITS = {
  account: { failures: 5, windowMs: 15 * MINUTE },
  everywhere: { failures: 100, windowMs: 15 * MINUTE },
  address: { failures: 30, windowMs: MINUTE },
} as const;

/** The origin of an attempt. */
export interface AttemptOrigin {
  readonly address: string;
  /** Id of a browser in which this account signed in before. Only the account limit applies to such a browser. */
  readonly device: string | null;
}

/**
 * Counts one more attempt if its origin may make one. Locks the account and the origin while counting, so that concurrent
 * guesses on any instance count one by one. The windows slide.
 *
 * @param account digest of the account's name
 * @param now epoch milliseconds
 * @returns whether the password may be checked
 */
export async function admitAttempt(account: string, from: AttemptOrigin, now: number): Promise<boolean> {
  const address = originKey(from);
  return db().$transaction(async (tx) => {
    // Sorted: two attempts with the same keys must lock them in one order, or they could deadlock.
    for (const key of [`account:${account}`, `address:${address}`].toSorted())
      await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${`sign-in ${key}`}, 0))`;
    await sweep(tx, new Date(now - SIGN_IN_LIMITS.account.windowMs));
    const isFull = async (where: object, { failures, windowMs }: { failures: number; windowMs: number }) =>
      (await tx.signInAttempt.count({ where: { ...where, at: { gt: new Date(now - windowMs) } } })) >= failures;
    if (await isFull({ account, address }, SIGN_IN_LIMITS.account)) return false;
    if (from.device === null) {
      if (await isFull({ address }, SIGN_IN_LIMITS.address)) return false;
      const unknownDevice = { address: { not: { startsWith: DEVICE_PREFIX } } };
      if (await isFull({ account, ...unknownDevice }, SIGN_IN_LIMITS.everywhere)) return false;
    }
    await tx.signInAttempt.create({ data: { account, address, at: new Date(now) } });
    return true;
  });
}

const DEVICE_PREFIX = "device:";

/** The `address` column of an attempt. A known device replaces the address. */
function originKey({ address, device }: AttemptOrigin): string {
  return device === null ? networkOf(address) : DEVICE_PREFIX + device;
}

/** Deletes attempts older than every window. Skips rows that a concurrent attempt is deleting. */
async function sweep(tx: Pick<PrismaClient, "$executeRaw">, before: Date): Promise<void> {
  await tx.$executeRaw`
    delete from sign_in_attempt where id in (
      select id from sign_in_attempt where at <= ${before} limit 1000 for update skip locked)`;
}

/** Deletes an account's attempts from one origin after the right password; without an origin, all of them. */
export async function forgetAttempts(account: string, from?: AttemptOrigin): Promise<void> {
  const where = { account, ...(from !== undefined && { address: originKey(from) }) };
  await db().signInAttempt.deleteMany({ where });
}
