import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { crc32 } from "node:zlib";

/** Lower-case letters and digits without look-alikes: 32 characters, 5 bits each, no `_`. */
const ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";
const KEY_ID_CHARACTERS = 12;
/** 200 random bits (docs/reference/promises.md requires at least 160). */
const SECRET_CHARACTERS = 40;

const part = (length: number) => `[${ALPHABET}]{${length}}`;
const API_KEY = new RegExp(`^(qm_(${part(KEY_ID_CHARACTERS)})_${part(SECRET_CHARACTERS)})_([0-9a-f]{8})$`);
const TOKEN = new RegExp(`^(qmp_${part(SECRET_CHARACTERS)})_([0-9a-f]{8})$`);

/** A new API key: `key` is shown once, the other fields are stored. */
interface MintedApiKey {
  readonly key: string;
  readonly keyId: string;
  readonly hash: Uint8Array<ArrayBuffer>;
  readonly lastFour: string;
}

/** A new API key `qm_<keyid>_<secret>_<crc32>` (docs/reference/http.md#authentication). */
export function mintApiKey(): MintedApiKey {
  const keyId = randomText(KEY_ID_CHARACTERS);
  const secret = randomText(SECRET_CHARACTERS);
  const key = withChecksum(`qm_${keyId}_${secret}`);
  return { key, keyId, hash: hashCredential(key), lastFour: secret.slice(-4) };
}

/** A key's id and its SHA-256 for `sameHash`; `null` when form or checksum is wrong. */
export function parseApiKey(text: string): { readonly keyId: string; readonly hash: Uint8Array } | null {
  const [, body = "", keyId = "", checksum = ""] = API_KEY.exec(text) ?? [];
  return body !== "" && checksumOf(body) === checksum ? { keyId, hash: hashCredential(text) } : null;
}

/** A new personal access token `qmp_<secret>_<crc32>`: `token` is shown once, the other fields are stored. */
export function mintToken(): {
  readonly token: string;
  readonly hash: Uint8Array<ArrayBuffer>;
  readonly lastFour: string;
} {
  const secret = randomText(SECRET_CHARACTERS);
  const token = withChecksum(`qmp_${secret}`);
  return { token, hash: hashCredential(token), lastFour: secret.slice(-4) };
}

/** Whether a text has the form and the checksum of a personal access token. */
export function isToken(text: string): boolean {
  const [, body = "", checksum = ""] = TOKEN.exec(text) ?? [];
  return body !== "" && checksumOf(body) === checksum;
}

/** SHA-256 of a key or a token, as stored and looked up. */
export function hashCredential(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hash("sha256", text, "buffer"));
}

/** SHA-256 of a key or a token as text, for a process's own maps. */
export function hashText(text: string): string {
  return hash("sha256", text, "base64url");
}

/** Compares two hashes in constant time. */
export function sameHash(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}

function withChecksum(body: string): string {
  return `${body}_${checksumOf(body)}`;
}

/** Detects typing errors without a database query. It is not a secret. */
function checksumOf(body: string): string {
  return crc32(body).toString(16).padStart(8, "0");
}

function randomText(length: number): string {
  return [...randomBytes(length)].map((byte) => ALPHABET[byte & 31]).join("");
}
