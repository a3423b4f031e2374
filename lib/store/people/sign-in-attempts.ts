import { isIPv6 } from "node:net";
import { db } from "@/lib/store/db/database";
import type { PrismaClient } from "@/lib/store/generated/client";
import { translated } from "@/lib/store/db/translate";

const MINUTE = 60_000;

/**
 * How many failures a window lets through. An account is counted for each address and each known device, so that
 * somebody else's guesses do not lock its owner out; `everywhere` bounds guesses from many addresses together.
 */
export const SIGN_IN_LIMITS = {
  account: { failures: 5, windowMs: 15 * MINUTE },
  everywhere: { failures: 100, windowMs: 15 * MINUTE },
  address: { failures: 30, windowMs: MINUTE },
} as const;

/** Where an attempt comes from. */
export interface AttemptOrigin {
  readonly address: string;
  /** Id of a browser in which this account signed in before; only the account's limit for that browser holds there. */
  readonly device: string | null;
}

/**
 * Counts one more attempt, if its origin may have one. The account and the origin are locked while they are
 * counted, so that guesses made at once, on any instance, are counted one by one; the windows slide.
 *
 * @param account digest of the account's name
 * @param now epoch milliseconds
 * @returns whether the password may be looked at
 */
export async function admitAttempt(account: string, from: AttemptOrigin, now: number): Promise<boolean> {
  const address = originKey(from);
  const counted = db().$transaction(async (tx) => {
    // In one order everywhere: two attempts that share both keys must not wait for each other.
    for (const key of [`account:${account}`, `address:${address}`].toSorted())
      await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${`sign-in ${key}`}, 0))`;
    await sweep(tx, new Date(now - SIGN_IN_LIMITS.account.windowMs));
    const isFull = async (where: object, { failures, windowMs }: { failures: number; windowMs: number }) =>
      (await tx.signInAttempt.count({ where: { ...where, at: { gt: new Date(now - windowMs) } } })) >= failures;
    if (await isFull({ account, address }, SIGN_IN_LIMITS.account)) return false;
    if (from.device === null) {
      if (await isFull({ address }, SIGN_IN_LIMITS.address)) return false;
      const unknownDevice = { address: { not: { startsWith: DEVICE } } };
      if (await isFull({ account, ...unknownDevice }, SIGN_IN_LIMITS.everywhere)) return false;
    }
    await tx.signInAttempt.create({ data: { account, address, at: new Date(now) } });
    return true;
  });
  return translated(() => counted);
}

const DEVICE = "device:";

/** The column `address` of an attempt: a known device counts instead of its address. */
function originKey({ address, device }: AttemptOrigin): string {
  if (device !== null) return DEVICE + device;
  return isIPv6(address) ? networkOf(address) : address;
}

/** The /64 of an IPv6 address: one customer usually has all of its addresses. */
function networkOf(address: string): string {
  const [head = "", tail] = new URL(`http://[${address.split("%", 1)[0]}]`).hostname.slice(1, -1).split("::");
  const [before, after] = [head, tail ?? ""].map((part) => (part === "" ? [] : part.split(":")));
  const zeros = Array<string>(8 - (before?.length ?? 0) - (after?.length ?? 0)).fill("0");
  const groups = tail === undefined ? (before ?? []) : [...(before ?? []), ...zeros, ...(after ?? [])];
  return `${groups.slice(0, 4).join(":")}::/64`;
}

/** Drops what no window can see any more; rows that another attempt is dropping are left to it. */
async function sweep(tx: Pick<PrismaClient, "$executeRaw">, before: Date): Promise<void> {
  await tx.$executeRaw`
    delete from sign_in_attempt where id in (
      select id from sign_in_attempt where at <= ${before} limit 1000 for update skip locked)`;
}

/** Forgets an account's attempts from one origin after the right password; without an origin, all of them. */
export async function forgetAttempts(account: string, from?: AttemptOrigin): Promise<void> {
  const where = { account, ...(from !== undefined && { address: originKey(from) }) };
  await translated(() => db().signInAttempt.deleteMany({ where }));
}
