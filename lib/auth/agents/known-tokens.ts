import { createHash } from "node:crypto";
import type { CryptoKey } from "jose";
import { BoundedCache } from "@/lib/access/model/bounded-cache";
import type { TokenParts } from "@/lib/auth/agents/token-parts";

/** Of all known tokens together, in characters of their text. */
const MOST_CHARACTERS = 8 * 1024 * 1024;

/** What never changes of a token: its parts, and that this key signed it. */
export interface KnownToken {
  readonly parts: TokenParts;
  readonly key: CryptoKey;
}

/** By SHA-256 of the token: its text is kept nowhere. */
const known = new BoundedCache<KnownToken>(MOST_CHARACTERS);

/**
 * A token whose signature was found good before. Only that is remembered: whether its issuer is trusted, has still this
 * key and accepts this kind, whether it has expired or was revoked, is asked for each request.
 */
export function knownToken(token: string): KnownToken | undefined {
  return known.get(digestOf(token));
}

/** Remembers a token that is signed by a key, with the algorithm that it names. */
export function rememberToken(token: string, seen: KnownToken): void {
  known.set(digestOf(token), seen, token.length);
}

function digestOf(token: string): string {
  return createHash("sha256").update(token).digest("base64");
}
