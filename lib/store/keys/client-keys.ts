import { createECDH, createHash, createPrivateKey, type KeyObject } from "node:crypto";
import { seedsOf } from "@/lib/store/keys/cipher";

/** A public P-256 key (RFC 7518, 6.2). */
export interface ClientJwk {
  readonly kty: "EC";
  readonly crv: "P-256";
  readonly x: string;
  readonly y: string;
  readonly kid: string;
  readonly alg: "ES256";
  readonly use: "sig";
}

/** An ES256 key pair with which Quartermaster authenticates to authorization servers (`private_key_jwt`). */
interface ClientKey {
  readonly key: KeyObject;
  readonly jwk: ClientJwk;
}

/**
 * The keys, the present one first. Every instance derives the same ones from its master keys, so they rotate with
 * MASTER_KEY, and a server that has cached the older public key still accepts signatures that were made with it.
 */
export function clientKeys(): readonly [ClientKey, ...ClientKey[]] {
  const [present, ...older] = seedsOf("client").map(toKey);
  if (present === undefined) throw new Error("there is no master key");
  return [present, ...older];
}

function toKey(seed: Uint8Array): ClientKey {
  const pair = createECDH("prime256v1");
  // Throws for a seed outside the curve's order, which happens with a probability of 2^-32.
  pair.setPrivateKey(seed);
  const point = pair.getPublicKey();
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString("base64url")) as [
    string,
    string,
  ];
  const curve = { crv: "P-256", kty: "EC" } as const;
  const key = createPrivateKey({ key: { ...curve, x, y, d: Buffer.from(seed).toString("base64url") }, format: "jwk" });
  // RFC 7638: exactly these members in this order.
  const kid = createHash("sha256")
    .update(JSON.stringify({ ...curve, x, y }))
    .digest("base64url");
  return { key, jwk: { ...curve, x, y, kid, alg: "ES256", use: "sig" } };
}
