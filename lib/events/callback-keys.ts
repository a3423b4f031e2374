import { createHash, createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import type { CallbackKeys } from "@/lib/resources/callback-keys";
import { seedsOf } from "@/lib/store/cipher";

/** PKCS #8 of an Ed25519 key, up to its 32 bytes (RFC 8410, 7). */
const PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

/** The key that callbacks are signed with: every instance makes the same one of the present master key. */
export function callbackKey(): KeyObject {
  const [present] = privateKeys();
  if (present === undefined) throw new Error("there is no master key");
  return present;
}

/** The public keys of callbacks as a JWK set (RFC 7517, RFC 8037): the present one first, then those of older master keys. */
export function callbackKeys(): CallbackKeys {
  return { keys: privateKeys().map(toJwk) };
}

function privateKeys(): KeyObject[] {
  return seedsOf("callback").map((seed) =>
    createPrivateKey({ key: Buffer.concat([PREFIX, seed]), format: "der", type: "pkcs8" }),
  );
}

function toJwk(key: KeyObject): CallbackKeys["keys"][number] {
  const { x = "" } = createPublicKey(key).export({ format: "jwk" });
  // RFC 7638: the thumbprint is over exactly these members, in this order.
  const kid = createHash("sha256")
    .update(JSON.stringify({ crv: "Ed25519", kty: "OKP", x }))
    .digest("base64url");
  return { kty: "OKP", crv: "Ed25519", x, kid, use: "sig", alg: "EdDSA" };
}
