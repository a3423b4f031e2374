import { hash, verify } from "@node-rs/argon2";

/** argon2id with 64 MiB, 3 passes, 1 lane (RFC 9106, second recommended option, on one thread). */
const COST = { memoryCost: 65_536, timeCost: 3, parallelism: 1 } as const;

/** Shortest password that is accepted when one is set, in characters (NIST SP 800-63B). */
export const MIN_PASSWORD_LENGTH = 12;
/** Longest password that is looked at: hashing must not be a way to keep us busy. */
export const MAX_PASSWORD_LENGTH = 1024;

/** A password as an argon2id PHC string. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, COST);
}

/**
 * Whether the password is the one behind `stored`. With `stored` null (no such user, or one without a
 * password) the same work is done against a hash that nothing matches, so that the answer takes
 * similar time (6-promises, Sign-in).
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const nobody = await decoy();
  const matches = await verify(stored ?? nobody, password.slice(0, MAX_PASSWORD_LENGTH + 1));
  return matches && stored !== null && password.length <= MAX_PASSWORD_LENGTH;
}

let decoyHash: Promise<string> | undefined;

/** Made once, with the same cost as every other hash. */
function decoy(): Promise<string> {
  decoyHash ??= hashPassword("nobody has this password");
  return decoyHash;
}
