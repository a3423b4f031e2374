import { createHash } from "node:crypto";
import type { Json } from "@/lib/access/model/configuration";

/**
 * What a token without a `jti` is revoked by: `iat-sub:` and the SHA-256 (hex) of the JSON list of both claims. Never the
 * token's text: the same claims may be signed again. `null` without an `iat`, or when either is of the wrong kind.
 */
export function tokenDigest(iat: Json | undefined, sub: Json | undefined): string | null {
  if (typeof iat !== "number" || typeof sub !== "string") return null;
  return `iat-sub:${createHash("sha256")
    .update(JSON.stringify([iat, sub]))
    .digest("hex")}`;
}
