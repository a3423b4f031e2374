import { createHash } from "node:crypto";
import type { Json } from "@/lib/access/model/configuration";
import { canonicalText } from "@/lib/access/model/canonical";
import { keyedDigest } from "@/lib/store/keys/cipher";
import { redactInParts } from "@/lib/audit/record/redact";
import { takeRandomBytes } from "@/lib/process/random";
import { stage } from "@/lib/process/turn";
import { runInTurns } from "@/lib/store/db/in-turns";
import { commitmentOf, type StoredBody } from "@/lib/store/log/executions-rows";

/** The most bytes of one body's JSON text that the log keeps (docs/reference/log.md#rows). */
const MAX_STORED_BYTES = 64 * 1024;

/** Redacts and cuts a body before it is stored. Works in turns, because callers and upstreams choose its size. */
export async function toStoredBody(value: Json, configured: readonly string[]): Promise<StoredBody> {
  const redacted = await runInTurns(redactInParts(value, configured));
  const text = await stage(() => canonicalText(redacted));
  return stage(() => toCommittedBody(text));
}

function toCommittedBody(text: string): StoredBody {
  const bytes = Buffer.byteLength(text);
  const digest = keyedDigest("body", text);
  const stored =
    bytes <= MAX_STORED_BYTES
      ? { text, digest, cut: null }
      : { text: beginningOf(text), digest, cut: { sha256: createHash("sha256").update(text).digest("hex"), bytes } };
  const key = takeRandomBytes(32);
  return { ...stored, key, commitment: commitmentOf(stored, key) };
}

/** At most `MAX_STORED_BYTES` of UTF-8, never half a character. */
function beginningOf(text: string): string {
  const head = Buffer.from(text).subarray(0, MAX_STORED_BYTES);
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(head, { stream: true });
}
