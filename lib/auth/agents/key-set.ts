import { isObject } from "@/lib/access/model/json";
import { importJWK, type CryptoKey, type JWK } from "jose";

/** The most keys of one issuer. Further keys are ignored. */
const MAX_KEYS = 100;

/** The key type and curve of each algorithm that an issuer may use (RFC 7518, RFC 8037). */
const KEY_TYPES: Readonly<Record<string, readonly [kty: string, crv: string | null]>> = {
  RS256: ["RSA", null],
  RS384: ["RSA", null],
  RS512: ["RSA", null],
  PS256: ["RSA", null],
  PS384: ["RSA", null],
  PS512: ["RSA", null],
  ES256: ["EC", "P-256"],
  ES384: ["EC", "P-384"],
  ES512: ["EC", "P-521"],
  EdDSA: ["OKP", "Ed25519"],
};

/** An issuer's keys that may verify tokens. */
export interface KeySet {
  /** The public key with this `kid` for an algorithm; `null` when none or several match. */
  find(alg: string, kid: string | null): Promise<CryptoKey | null>;
  /** The number of usable keys. */
  readonly usable: number;
  /** A description of each key for people, with the reason if the key is left out. */
  readonly described: readonly string[];
}

/**
 * The usable keys of a JWK set (RFC 7517). Leaves out private and symmetric keys, encryption keys, weak RSA keys and keys
 * with the same `kid`. Ignores certificates and addresses in a key.
 */
export function toKeySet(keys: readonly unknown[]): KeySet {
  const first = keys.slice(0, MAX_KEYS);
  const usable = first.filter((key): key is JWK => problemOf(key) === null);
  const isShared = ({ kid }: JWK) => kid !== undefined && usable.filter((other) => other.kid === kid).length > 1;
  const unique = usable.filter((key) => !isShared(key));
  const imported = new Map<string, Promise<CryptoKey | null>>();
  return {
    async find(alg, kid) {
      const matching = unique.filter((key) => matchesAlgorithm(key, alg) && (kid === null || key.kid === kid));
      const [key] = matching;
      if (key === undefined || matching.length > 1) return null;
      const id = `${alg} ${unique.indexOf(key)}`;
      const known = imported.get(id) ?? importPublic(key, alg);
      imported.set(id, known);
      return known;
    },
    usable: unique.length,
    get described() {
      return first.map((key) => {
        const problem = problemOf(key) ?? (isShared(key as JWK) ? "another key has the same `kid`" : null);
        return problem === null ? nameOf(key) : `${nameOf(key)}, left out: ${problem}`;
      });
    },
  };
}

/** Why a key cannot verify tokens; `null` when it can. */
function problemOf(value: unknown): string | null {
  if (!isObject(value)) return "not a JSON object";
  const key = value as Record<string, unknown>;
  if ("d" in key || "k" in key || "p" in key || "q" in key) return "private or symmetric, publish public keys only";
  if (key["kid"] !== undefined && typeof key["kid"] !== "string") return "its `kid` is not a string";
  if (key["use"] !== undefined && key["use"] !== "sig") return "its `use` is not `sig`";
  const operations = key["key_ops"];
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes("verify")))
    return "its `key_ops` lack `verify`";
  if (key["kty"] === "RSA") return rsaProblem(key["n"], key["e"]);
  return key["kty"] === "EC" || key["kty"] === "OKP" ? null : "its `kty` is none of RSA, EC, OKP";
}

/** At least 2048 bits and an odd exponent of at least 65537 (docs/reference/promises.md#tokens). Maxima bound the verifying time. */
function rsaProblem(n: unknown, e: unknown): string | null {
  const modulus = toInteger(n);
  const exponent = toInteger(e);
  if (modulus === null || exponent === null) return "its `n` or `e` is not a base64url number";
  const bits = modulus.toString(2).length;
  if (bits < 2048 || bits > 8192) return `RSA of ${bits} bits, 2048 to 8192 are accepted`;
  if (exponent < 65_537n || exponent >= 2n ** 64n || exponent % 2n === 0n)
    return "its exponent `e` is not an odd number from 65537 to 2^64";
  return isRoca(modulus) ? "its modulus has the fingerprint of the ROCA weakness (CVE-2017-15361)" : null;
}

const SMALL_PRIMES = [
  3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107, 109, 113,
  127, 131, 137, 139, 149, 151, 157, 163, 167,
];

/** For each small prime, the residues that a product of ROCA primes can have: the powers of 65537. */
const ROCA_RESIDUES = SMALL_PRIMES.map((prime) => {
  const powers = new Set<number>();
  for (let power = 1; !powers.has(power); power = (power * (65_537 % prime)) % prime) powers.add(power);
  return { prime: BigInt(prime), powers };
});

/** Whether a modulus has the fingerprint of Infineon's faulty library. One in 2^27 other keys has it by chance. */
function isRoca(modulus: bigint): boolean {
  return ROCA_RESIDUES.every(({ prime, powers }) => powers.has(Number(modulus % prime)));
}

function nameOf(value: unknown): string {
  const { kid, kty, crv } = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  const type = [kty, crv].filter((part) => typeof part === "string").join(" ");
  return `${typeof kid === "string" ? `\`${kid}\`` : "a key without `kid`"} (${type === "" ? "unknown type" : type})`;
}

function toInteger(value: unknown): bigint | null {
  // Two base64url characters are the fewest that encode a byte.
  if (typeof value !== "string" || !/^[A-Za-z0-9_-]{2,2048}$/.test(value)) return null;
  return BigInt(`0x${Buffer.from(value, "base64url").toString("hex")}`);
}

function matchesAlgorithm(key: JWK, alg: string): boolean {
  const type = Object.hasOwn(KEY_TYPES, alg) ? KEY_TYPES[alg] : undefined;
  if (type === undefined) return false;
  const [kty, crv] = type;
  if (key.kty !== kty || (crv !== null && key.crv !== crv)) return false;
  return key.alg === undefined || key.alg === alg || (alg === "EdDSA" && key.alg === "Ed25519");
}

async function importPublic(key: JWK, alg: string): Promise<CryptoKey | null> {
  const publicMembers = Object.fromEntries(
    (["kty", "crv", "x", "y", "n", "e"] as const).flatMap((name) =>
      key[name] === undefined ? [] : [[name, key[name]]],
    ),
  );
  try {
    const result = await importJWK(publicMembers as unknown as JWK, alg);
    return result instanceof Uint8Array ? null : result;
  } catch {
    // An invalid key, such as a point outside its curve, counts as absent.
    return null;
  }
}
