import { importJWK, type CryptoKey, type JWK } from "jose";

/** The most keys of one issuer that are looked at. */
const MAX_KEYS = 100;

/** Key type and curve of each algorithm that an issuer may be configured with (RFC 7518, RFC 8037). */
const FAMILY: Readonly<Record<string, readonly [kty: string, crv: string | null]>> = {
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

/** The public key of `kid` for an algorithm; `null` when there is none, or more than one could be meant. */
export type KeySet = (alg: string, kid: string | null) => Promise<CryptoKey | null>;

/**
 * The usable keys of a JWK set (RFC 7517). Left out: private and symmetric keys, keys for encryption,
 * weak RSA keys, keys that share a `kid`. What is left is used as a bare public key: certificates and
 * addresses in a key are not read.
 */
export function toKeySet(keys: readonly unknown[]): KeySet {
  const usable = keys.slice(0, MAX_KEYS).filter(isUsable);
  const unique = usable.filter(
    (key) => key.kid === undefined || usable.filter(({ kid }) => kid === key.kid).length === 1,
  );
  const imported = new Map<string, Promise<CryptoKey | null>>();
  return async (alg, kid) => {
    const fitting = unique.filter((key) => fits(key, alg) && (kid === null || key.kid === kid));
    const [key] = fitting;
    if (key === undefined || fitting.length > 1) return null;
    const id = `${alg} ${unique.indexOf(key)}`;
    const known = imported.get(id) ?? importPublic(key, alg);
    imported.set(id, known);
    return known;
  };
}

function isUsable(value: unknown): value is JWK {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const key = value as Record<string, unknown>;
  if ("d" in key || "k" in key || "p" in key || "q" in key) return false;
  if (key["kid"] !== undefined && typeof key["kid"] !== "string") return false;
  if (key["use"] !== undefined && key["use"] !== "sig") return false;
  const operations = key["key_ops"];
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes("verify"))) return false;
  return key["kty"] === "RSA" ? isStrongRsa(key["n"], key["e"]) : key["kty"] === "EC" || key["kty"] === "OKP";
}

/** At least 2048 bits and an odd exponent of at least 65537 (6-promises, Tokens); bounded, for verifying costs time. */
function isStrongRsa(n: unknown, e: unknown): boolean {
  const modulus = toInteger(n);
  const exponent = toInteger(e);
  if (modulus === null || exponent === null) return false;
  const bits = modulus.toString(2).length;
  return bits >= 2048 && bits <= 8192 && exponent >= 65_537n && exponent < 2n ** 64n && exponent % 2n === 1n;
}

function toInteger(value: unknown): bigint | null {
  if (typeof value !== "string" || !/^[A-Za-z0-9_-]{1,2048}$/.test(value)) return null;
  return BigInt(`0x${Buffer.from(value, "base64url").toString("hex")}`);
}

function fits(key: JWK, alg: string): boolean {
  const family = Object.hasOwn(FAMILY, alg) ? FAMILY[alg] : undefined;
  if (family === undefined) return false;
  const [kty, crv] = family;
  if (key.kty !== kty || (crv !== null && key.crv !== crv)) return false;
  return key.alg === undefined || key.alg === alg || (alg === "EdDSA" && key.alg === "Ed25519");
}

async function importPublic(key: JWK, alg: string): Promise<CryptoKey | null> {
  const bare = Object.fromEntries(
    (["kty", "crv", "x", "y", "n", "e"] as const).flatMap((name) =>
      key[name] === undefined ? [] : [[name, key[name]]],
    ),
  );
  try {
    const result = await importJWK(bare as unknown as JWK, alg);
    return result instanceof Uint8Array ? null : result;
  } catch {
    // A key that is none, such as a point off its curve, is as good as absent.
    return null;
  }
}
