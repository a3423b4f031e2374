import type { KeyObject } from "node:crypto";
import type { CallbackKeys } from "@/lib/contracts/agents/callback-keys";
import { signingKeys } from "@/lib/store/keys/signing-keys";

/** The key that signs callbacks. Every instance derives the same one from the present master key. */
export function callbackKey(): KeyObject {
  return signingKeys("callback")[0].key;
}

/** The public keys of callbacks as a JWK set (RFC 7517, RFC 8037): the present one, then those of older master keys. */
export function callbackKeys(): CallbackKeys {
  return {
    keys: signingKeys("callback").map(({ x, kid }) => ({
      kty: "OKP",
      crv: "Ed25519",
      x,
      kid,
      use: "sig",
      alg: "EdDSA",
    })),
  };
}
