import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { env } from "@/lib/env";

/** The purpose of a derived key. A key of one purpose opens no text of another. */
export type Purpose =
  | "claims"
  | "calls"
  | "secret"
  | "webhook"
  | "callback"
  | "openid"
  | "linked"
  | "client"
  | "request"
  | "seal"
  | "digest"
  | "token-key";

const FORMAT = "v1";

/**
 * Encrypts text with AES-256-GCM under a key derived for `purpose`. Authenticates `bound` with it, so that a ciphertext
 * moved to another row does not open. Returns `v1.<key id>.<nonce>.<tag>.<ciphertext>`, base64url.
 */
export function seal(purpose: Purpose, text: string, bound: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", derivedKey(env.MASTER_KEY, purpose), nonce);
  cipher.setAAD(Buffer.from(bound));
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return currentPrefix() + [nonce, cipher.getAuthTag(), body].map((part) => part.toString("base64url")).join(".");
}

/**
 * Opens the output of `seal` with MASTER_KEY or one of MASTER_KEY_PREVIOUS; `null` when the key, the binding or the text
 * does not match.
 */
export function open(purpose: Purpose, sealed: string, bound: string): string | null {
  const [format, id, nonce, tag, body] = sealed.split(".");
  const master = masterKeys().find((key) => keyId(key) === id);
  if (format !== FORMAT || master === undefined || nonce === undefined || tag === undefined || body === undefined)
    return null;
  try {
    const key = derivedKey(master, purpose);
    const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(nonce, "base64url"), { authTagLength: 16 });
    decipher.setAAD(Buffer.from(bound));
    decipher.setAuthTag(Buffer.from(tag, "base64url"));
    return Buffer.concat([decipher.update(Buffer.from(body, "base64url")), decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}

/** The prefix of every value that is sealed under the present MASTER_KEY. */
export function currentPrefix(): string {
  return prefixOf(env.MASTER_KEY);
}

/** The prefixes of values that are sealed under MASTER_KEY_PREVIOUS. */
export function previousPrefixes(): readonly string[] {
  return env.MASTER_KEY_PREVIOUS.map(prefixOf);
}

function prefixOf(master: string): string {
  return `${FORMAT}.${keyId(master)}.`;
}

/**
 * HMAC-SHA256 (hex) under our own key: finds equal texts, but nobody can guess a text from its digest. `domain` keeps
 * digests of different things distinct. A digest depends on the MASTER_KEY at its creation.
 */
export function keyedDigest(domain: string, text: string): string {
  const key = derivedKey(env.MASTER_KEY, "digest");
  return createHmac("sha256", key).update(domain).update("\0").update(text).digest("hex");
}

/** 32 bytes derived from each master key, the present one first. The signing keys are made from them. */
export function seedsOf(purpose: Purpose): readonly Uint8Array[] {
  return masterKeys().map((master) => derivedKey(master, purpose));
}

/** The present one first. */
function masterKeys(): readonly string[] {
  return [env.MASTER_KEY, ...env.MASTER_KEY_PREVIOUS];
}

const keys = new Map<string, Buffer>();

function derivedKey(master: string, purpose: Purpose): Buffer {
  const name = `${master}:${purpose}`;
  let key = keys.get(name);
  if (key === undefined) {
    key = Buffer.from(hkdfSync("sha256", Buffer.from(master, "base64"), "", `quartermaster:${purpose}`, 32));
    keys.set(name, key);
  }
  return key;
}

const ids = new Map<string, string>();

/** Identifies a master key without revealing it, so that a sealed value names the key that opens it. */
function keyId(master: string): string {
  let id = ids.get(master);
  if (id === undefined) {
    const hash = createHash("sha256").update("quartermaster:key-id").update(derivedKey(master, "claims"));
    id = hash.digest("hex").slice(0, 8);
    ids.set(master, id);
  }
  return id;
}
