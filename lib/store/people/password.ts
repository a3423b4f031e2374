import { randomInt } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import { MAX_PASSWORD_LENGTH } from "@/lib/contracts/people/password-change";

/** argon2id with 64 MiB, 3 passes, 1 lane (RFC 9106, second recommended option, on one thread). */
const COST = { memoryCost: 65_536, timeCost: 3, parallelism: 1 } as const;

/** Lower-case letters and digits without look-alikes. */
const ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";

/** Hashes a password as an argon2id PHC string. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, COST);
}

/**
 * Whether the password matches `stored`. With `stored` null (no such user, or no password) it verifies against a decoy
 * hash, so that the answer takes a similar time (docs/reference/promises.md#sign-in).
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const nobody = await decoy();
  const matches = await verify(stored ?? nobody, password.slice(0, MAX_PASSWORD_LENGTH + 1));
  return matches && stored !== null && password.length <= MAX_PASSWORD_LENGTH;
}

/** A new password: four groups of five characters, 100 random bits, easy to type once. */
export function randomPassword(): string {
  const group = () => Array.from({ length: 5 }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
  return [group(), group(), group(), group()].join("-");
}

let decoyHash: Promise<string> | undefined;

/** A hash that no password matches. Created once, with the same cost as every other hash. */
function decoy(): Promise<string> {
  decoyHash ??= hashPassword("nobody has this password");
  return decoyHash;
}
