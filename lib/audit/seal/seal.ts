import { createHash, createPublicKey, sign, verify, type KeyObject } from "node:crypto";
import { canonicalText } from "@/lib/access/model/canonical";
import { treeHash } from "@/lib/audit/seal/merkle";
import type { SealedRow } from "@/lib/audit/record/record";
import type { SealStatement, SignedSeal } from "@/lib/contracts/log/seal";
import type { SealLeaves } from "@/lib/store/audit/seals";
import type { SigningKey } from "@/lib/store/keys/signing-keys";

/** The `previous` of the first seal. */
export const BEFORE_ALL = "0".repeat(64);

/** Signs a statement (Ed25519, RFC 8032, over its canonical JSON). */
export function signSeal(statement: SealStatement, { key }: SigningKey): SignedSeal {
  return { ...statement, signature: sign(null, Buffer.from(statementText(statement)), key).toString("base64url") };
}

/** Whether the owner of the public key `x` signed a seal. */
export function isSignedBy(seal: SignedSeal, x: string): boolean {
  return verify(null, Buffer.from(statementText(seal)), publicKey(x), Buffer.from(seal.signature, "base64url"));
}

/** SHA-256 (hex) of a signed seal: the next seal's `previous`, and the value compared with checkpoints. */
export function sealHash(seal: SignedSeal): string {
  return createHash("sha256")
    .update(`${statementText(seal)}.${seal.signature}`)
    .digest("hex");
}

/** The leaves stored with a seal, and their root; `rows` in the order of leaves. */
export function toLeaves(rows: readonly SealedRow[]): SealLeaves & { readonly root: string } {
  const hashes = rows.map(({ leaf }) => leaf);
  return {
    records: rows.map(({ name }) => name).join("\n"),
    hashes: Buffer.concat(hashes),
    root: treeHash(hashes).toString("hex"),
  };
}

/** The leaf hashes of a seal, one by one. */
export function hashesOf({ hashes }: SealLeaves): Buffer[] {
  const all = Buffer.from(hashes);
  return Array.from({ length: Math.floor(all.length / 32) }, (_, index) => all.subarray(index * 32, index * 32 + 32));
}

/** A public key from its 32 bytes in base64url (RFC 8037). */
export function publicKey(x: string): KeyObject {
  return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
}

/** Exactly the signed text, without other columns of the database. */
function statementText(statement: SealStatement): string {
  const { number, at, era, fromXid, toXid, auditFrom, count, root, previous, keyId } = statement;
  const events = auditFrom === undefined ? {} : { auditFrom };
  return canonicalText({ number, at, era, fromXid, toXid, ...events, count, root, previous, keyId });
}
