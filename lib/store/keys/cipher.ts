import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { env } from "@/lib/env";

/** What a derived key is for; one purpose never reads what another wrote. */
export type Purpose = "claims" | "calls" | "secret" | "webhook" | "callback" | "openid" | "seal" | "digest";

const FORMAT = "v1";

/**
 * Encrypts text with AES-256-GCM under a key derived for `purpose`; `bound` is authenticated with it, so that
 * a ciphertext moved to another row does not open. Returns `v1.<key id>.<nonce>.<tag>.<ciphertext>`, base64url.
 */
export function seal(purpose: Purpose, text: string, bound: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", derivedKey(env.MASTER_KEY, purpose), nonce);
  cipher.setAAD(Buffer.from(bound));
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return currentPrefix() + [nonce, cipher.getAuthTag(), body].map((part) => part.toString("base64url")).join(".");
}

/**
 * Opens what `seal` made, under MASTER_KEY or one of MASTER_KEY_PREVIOUS; `null` when the key, the binding or the
 * text is another.
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

/** What everything sealed under the present MASTER_KEY begins with. */
export function currentPrefix(): string {
  return prefixOf(env.MASTER_KEY);
}

/** The same of MASTER_KEY_PREVIOUS. */
export function previousPrefixes(): readonly string[] {
  return env.MASTER_KEY_PREVIOUS.map(prefixOf);
}

function prefixOf(master: string): string {
  return `${FORMAT}.${keyId(master)}.`;
}

/**
 * HMAC-SHA256 (hex) under our own key: equal texts are found without anyone being able to guess the text
 * from its digest. `domain` keeps digests of different things apart. A digest is of the MASTER_KEY that was
 * present when it was made.
 */
export function keyedDigest(domain: string, text: string): string {
  const key = derivedKey(env.MASTER_KEY, "digest");
  return createHmac("sha256", key).update(domain).update("\0").update(text).digest("hex");
}

/** 32 bytes of each master key, the present one first: what a key pair of ours is made of. */
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

/** Names a master key without telling anything about it: a row says which key opens it. */
function keyId(master: string): string {
  return createHash("sha256")
    .update("quartermaster:key-id")
    .update(derivedKey(master, "claims"))
    .digest("hex")
    .slice(0, 8);
}
