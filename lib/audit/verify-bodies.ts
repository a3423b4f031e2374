import { commitmentOf } from "@/lib/audit/body";
import type { Findings } from "@/lib/audit/findings";
import type { Ask } from "@/lib/store/log-session";
import { readBodies, readErased, type CallKey, type KeptBody, type LogRow } from "@/lib/store/seals";

/** Calls whose bodies are fetched at a time: each may have 64 KiB twice. */
const CALLS_AT_ONCE = 512;

/** What a sealed row says of a body. */
interface Commitment {
  readonly callId: string;
  readonly callAt: Date;
  readonly part: KeptBody["part"];
  readonly commitment: string;
}

/**
 * Compares the bodies of a batch with what its rows committed to. A body that is gone is no finding when somebody who may
 * erased it; rows of before there were commitments say nothing of theirs.
 */
export async function verifyBodies(
  ask: Ask,
  seal: number,
  rows: readonly LogRow[],
  findings: Findings,
): Promise<{ readonly bodies: number; readonly erased: number }> {
  const counted = { bodies: 0, erased: 0 };
  const all = rows.flatMap(commitmentIn);
  for (let start = 0; start < all.length; start += CALLS_AT_ONCE) {
    const some = all.slice(start, start + CALLS_AT_ONCE);
    const kept = new Map((await readBodies(ask, callsOf(some))).map((body) => [`${body.part} ${body.callId}`, body]));
    const missing: Commitment[] = [];
    for (const stated of some) {
      const body = kept.get(`${stated.part} ${stated.callId}`);
      if (body === undefined) missing.push(stated);
      else if (!isAsCommitted(body, stated.commitment))
        findings.add("body_edited", seal, stated.callId, `The ${stated.part} were changed.`);
      counted.bodies += 1;
    }
    const erased =
      missing.length === 0
        ? new Set()
        : await readErased(
            ask,
            missing.map(({ callId }) => callId),
          );
    for (const { callId, part } of missing)
      if (erased.has(callId)) counted.erased += 1;
      else findings.add("body_deleted", seal, callId, `The ${part} are gone, and nobody erased them.`);
  }
  return counted;
}

function commitmentIn({ kind, columns }: LogRow): Commitment[] {
  const part = kind === "execution" ? "arguments" : "result";
  const commitment = columns[`${part}Commitment`];
  const callAt = columns[kind === "execution" ? "at" : "callAt"];
  if (typeof commitment !== "string" || !(callAt instanceof Date)) return [];
  return [{ callId: columns.callId, callAt, part, commitment }];
}

function isAsCommitted({ text, digest, sha256, bytes, key }: KeptBody, commitment: string): boolean {
  const cut = sha256 === null && bytes === null ? null : { sha256: sha256 ?? "", bytes: bytes ?? -1 };
  return key !== null && commitmentOf({ text, digest, cut }, key) === commitment;
}

/** An intent and its outcome are of one call. */
function callsOf(commitments: readonly Commitment[]): CallKey[] {
  return [...new Map(commitments.map(({ callId, callAt }) => [callId, { callId, callAt }])).values()];
}
