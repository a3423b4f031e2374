import { createHash } from "node:crypto";
import type { Json } from "@/lib/access/configuration";
import { canonicalText } from "@/lib/access/canonical";
import { keyedDigest } from "@/lib/store/cipher";
import { redact } from "@/lib/audit/redact";
import type { StoredBody } from "@/lib/store/executions-log";

/** The most of one body that is kept, in bytes of its JSON text (4-execution, The log). */
export const MAX_STORED_BYTES = 64 * 1024;

/** Redacts and bounds a body, before it goes anywhere near storage. */
export function toStoredBody(value: Json, configured: readonly string[]): StoredBody {
  const text = canonicalText(redact(value, configured));
  const bytes = Buffer.byteLength(text);
  const digest = keyedDigest("body", text);
  if (bytes <= MAX_STORED_BYTES) return { text, digest, cut: null };
  const sha256 = createHash("sha256").update(text).digest("hex");
  return { text: beginningOf(text), digest, cut: { sha256, bytes } };
}

/** At most `MAX_STORED_BYTES` of UTF-8, never half a character. */
function beginningOf(text: string): string {
  const head = Buffer.from(text).subarray(0, MAX_STORED_BYTES);
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(head, { stream: true });
}
