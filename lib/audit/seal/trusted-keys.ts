import { sign, verify } from "node:crypto";
import { publicKey } from "@/lib/audit/seal/seal";
import type { CallbackKeys } from "@/lib/contracts/agents/callback-keys";
import { rowsOf } from "@/lib/store/db/database";
import type { RunQuery } from "@/lib/store/db/log-session";
import { addVouchedKey, readVouchedKeys, type VouchedKey } from "@/lib/store/audit/seals";
import { signingKeys, thumbprint } from "@/lib/store/keys/signing-keys";

/** Public keys by thumbprint. */
export type TrustedKeys = ReadonlyMap<string, string>;

/**
 * The keys whose seals are trusted: those of this installation's master keys, and older keys that a trusted key vouched
 * for when the master key was rotated. A person who can only write to the database cannot add one.
 */
export async function loadTrustedKeys(runQuery: RunQuery): Promise<TrustedKeys> {
  const trusted = new Map(signingKeys("seal").map(({ kid, x }) => [kid, x]));
  const waiting = new Set(await readVouchedKeys(runQuery));
  for (let grown = true; grown;) {
    grown = false;
    for (const vouched of waiting) {
      const by = trusted.get(vouched.vouchedBy);
      if (by === undefined || !isVouchedFor(vouched, by)) continue;
      trusted.set(vouched.keyId, vouched.x);
      waiting.delete(vouched);
      grown = true;
    }
  }
  return trusted;
}

/** The public seal keys of this installation's master keys as JWKs (RFC 8037), the present one first. */
export function sealKeys(): CallbackKeys["keys"] {
  return signingKeys("seal").map(({ x, kid }) => toJwk(kid, x));
}

let reading: Promise<CallbackKeys["keys"]> | null = null;

/**
 * Every trusted seal key as a JWK, the present one first. Requests at the same time share one read, because anyone may
 * send them. @throws AppError `config_unavailable`
 */
export function readSealKeys(): Promise<CallbackKeys["keys"]> {
  reading ??= loadTrustedKeys((text, values = []) => rowsOf({ text, values: [...values] }))
    .then((trusted) => [...trusted].map(([kid, x]) => toJwk(kid, x)))
    .finally(() => (reading = null));
  return reading;
}

/** Vouches for the keys of MASTER_KEY_PREVIOUS, so that their seals stay trusted after the variable is removed. */
export async function vouchForOlderKeys(runQuery: RunQuery): Promise<void> {
  const [present, ...older] = signingKeys("seal");
  for (const { kid, x } of older) {
    const signature = sign(null, Buffer.from(vouching(x)), present.key).toString("base64url");
    await addVouchedKey(runQuery, { keyId: kid, x, vouchedBy: present.kid, signature });
  }
}

function toJwk(kid: string, x: string): CallbackKeys["keys"][number] {
  return { kty: "OKP", crv: "Ed25519", x, kid, use: "sig", alg: "EdDSA" };
}

function isVouchedFor({ keyId, x, signature }: VouchedKey, by: string): boolean {
  if (keyId !== thumbprint(x)) return false;
  return verify(null, Buffer.from(vouching(x)), publicKey(by), Buffer.from(signature, "base64url"));
}

function vouching(x: string): string {
  return `quartermaster seal key ${x}`;
}
