import { createHash } from "node:crypto";
import type { CryptoKey } from "jose";
import { BoundedCache } from "@/lib/access/model/bounded-cache";
import type { TokenParts } from "@/lib/auth/agents/token-parts";

/** Most characters of all cached tokens together. */
const MAX_CHARACTERS = 8 * 1024 * 1024;

/** The facts about a token that never change: its parts and the key that signed it. */
interface KnownToken {
  readonly parts: TokenParts;
  readonly key: CryptoKey;
}

/** Tokens by their SHA-256. The text of a token is not stored. */
const verifiedTokens = new BoundedCache<KnownToken>(MAX_CHARACTERS);

/**
 * A token whose signature was verified before. The cache holds only that fact. Each request still checks the issuer, its
 * keys and accepted types, the expiry and revocations.
 */
export function knownToken(token: string): KnownToken | undefined {
  return verifiedTokens.get(digestOf(token));
}

/** Caches a token that a key has signed with the token's own algorithm. */
export function rememberToken(token: string, seen: KnownToken): void {
  verifiedTokens.set(digestOf(token), seen, token.length);
}

function digestOf(token: string): string {
  return createHash("sha256").update(token).digest("base64");
}
