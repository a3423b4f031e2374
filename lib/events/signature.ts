import { createHmac, sign, type KeyObject } from "node:crypto";

/** The signed content: the message's id, the time of this try in seconds since 1970, and the body as sent. */
export interface SignedContent {
  readonly id: string;
  readonly timestamp: number;
  readonly body: string;
}

/**
 * A symmetric signature `v1,…` (Standard Webhooks 1.0, Signature scheme): HMAC-SHA256 in base64 over `id.timestamp.body`
 * under the bytes of a secret `whsec_` + base64.
 */
export function signWithSecret(secret: string, content: SignedContent): string {
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  return `v1,${createHmac("sha256", key).update(toText(content)).digest("base64")}`;
}

/** An asymmetric signature `v1a,…` (Standard Webhooks 1.0): Ed25519 over the same text. */
export function signWithKey(key: KeyObject, content: SignedContent): string {
  return `v1a,${sign(null, Buffer.from(toText(content)), key).toString("base64")}`;
}

function toText({ id, timestamp, body }: SignedContent): string {
  return `${id}.${timestamp}.${body}`;
}
