import { createHash } from "node:crypto";
import type { Json } from "@/lib/access/model/configuration";

/**
 * The id for revoking a token without a `jti`: `iat-sub:` and the SHA-256 (hex) of the JSON list of both claims. Not of
 * the token's text, because the issuer may sign the same claims again. `null` without valid `iat` and `sub`.
 */
export function tokenDigest(iat: Json | undefined, sub: Json | undefined): string | null {
  if (typeof iat !== "number" || typeof sub !== "string") return null;
  return `iat-sub:${createHash("sha256")
    .update(JSON.stringify([iat, sub]))
    .digest("hex")}`;
}
