import { sign, verify } from "node:crypto";
import { canonicalText } from "@/lib/access/model/canonical";
import type { Json } from "@/lib/access/model/configuration";
import { publicKey } from "@/lib/audit/seal/seal";
import type { TrustedKeys } from "@/lib/audit/seal/trusted-keys";
import { signingKeys } from "@/lib/store/keys/signing-keys";

/** The members that signing adds to a statement. */
interface Signature {
  /** Thumbprint (RFC 7638) of the key. */
  readonly keyId: string;
  /** Ed25519 (RFC 8032) over the canonical JSON of everything else, base64url. */
  readonly signature: string;
}

/** Signs a statement with the key that signs seals. */
export function signStatement<T extends object>(content: T): T & Signature {
  const [{ key, kid }] = signingKeys("seal");
  const statement = { ...content, keyId: kid };
  const signature = sign(null, Buffer.from(textOf(statement)), key).toString("base64url");
  return { ...statement, signature };
}

/** Whether the owner of a trusted key signed a statement. */
export function isSigned({ signature, ...statement }: Signature & object, keys: TrustedKeys): boolean {
  const x = keys.get(statement.keyId);
  return (
    x !== undefined && verify(null, Buffer.from(textOf(statement)), publicKey(x), Buffer.from(signature, "base64url"))
  );
}

function textOf(statement: object): string {
  return canonicalText(statement as unknown as Json);
}
