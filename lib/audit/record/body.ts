import { createHash, createHmac, randomBytes } from "node:crypto";
import type { Json } from "@/lib/access/model/configuration";
import { canonicalText } from "@/lib/access/model/canonical";
import { keyedDigest } from "@/lib/store/keys/cipher";
import { redactInParts } from "@/lib/audit/record/redact";
import { madeInTurns } from "@/lib/store/db/in-turns";
import type { StoredBody } from "@/lib/store/log/executions-rows";

/** The most of one body that is kept, in bytes of its JSON text (docs/reference/log.md#rows). */
export const MAX_STORED_BYTES = 64 * 1024;

/** Redacts and bounds a body, before it goes anywhere near storage; in turns, because callers and upstreams choose its size. */
export async function toStoredBody(value: Json, configured: readonly string[]): Promise<StoredBody> {
  const text = canonicalText(await madeInTurns(redactInParts(value, configured)));
  const bytes = Buffer.byteLength(text);
  const digest = keyedDigest("body", text);
  const kept =
    bytes <= MAX_STORED_BYTES
      ? { text, digest, cut: null }
      : { text: beginningOf(text), digest, cut: { sha256: createHash("sha256").update(text).digest("hex"), bytes } };
  const key = new Uint8Array(randomBytes(32));
  return { ...kept, key, commitment: commitmentOf(kept, key) };
}

/**
 * What the sealed row says of a body: HMAC-SHA-256 (RFC 2104), hex, of all that is kept of it, under the body's own key.
 * Whoever has both can tell that not a character was changed; after key and text are erased nothing can be told from it.
 */
export function commitmentOf(
  { text, digest, cut }: Pick<StoredBody, "text" | "digest" | "cut">,
  key: Uint8Array,
): string {
  return createHmac("sha256", key)
    .update(canonicalText([text, digest, cut?.sha256 ?? null, cut?.bytes ?? null]))
    .digest("hex");
}

/** At most `MAX_STORED_BYTES` of UTF-8, never half a character. */
function beginningOf(text: string): string {
  const head = Buffer.from(text).subarray(0, MAX_STORED_BYTES);
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(head, { stream: true });
}
