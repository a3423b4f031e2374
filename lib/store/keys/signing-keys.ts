import { createHash, createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { seedsOf, type Purpose } from "@/lib/store/keys/cipher";

/** PKCS #8 of an Ed25519 key, up to its 32 bytes (RFC 8410, 7). */
const PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

/** An Ed25519 key pair of this installation. */
export interface SigningKey {
  readonly key: KeyObject;
  /** The public key, base64url (RFC 8037). */
  readonly x: string;
  /** Its thumbprint (RFC 7638). */
  readonly kid: string;
}

/** The keys of a purpose, the present one first. Every instance derives the same ones from its master keys. */
export function signingKeys(purpose: Purpose): readonly [SigningKey, ...SigningKey[]] {
  const [present, ...older] = seedsOf(purpose).map((seed) => {
    const key = createPrivateKey({ key: Buffer.concat([PREFIX, seed]), format: "der", type: "pkcs8" });
    const { x = "" } = createPublicKey(key).export({ format: "jwk" });
    return { key, x, kid: thumbprint(x) };
  });
  if (present === undefined) throw new Error("there is no master key");
  return [present, ...older];
}

/** The thumbprint of an Ed25519 public key: over exactly these members in this order (RFC 7638, RFC 8037). */
export function thumbprint(x: string): string {
  return createHash("sha256")
    .update(JSON.stringify({ crv: "Ed25519", kty: "OKP", x }))
    .digest("base64url");
}
