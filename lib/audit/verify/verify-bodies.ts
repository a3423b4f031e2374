import type { Defects } from "@/lib/audit/verify/defects";
import type { ReadRow } from "@/lib/audit/record/record";
import type { RunQuery } from "@/lib/store/db/log-session";
import { readErased } from "@/lib/store/audit/seals";

/** A row whose body does not match its commitment. */
export type RowWithoutBody = Pick<ReadRow, "callId" | "part" | "body">;

/**
 * Reports edited and missing bodies. A missing body is no defect when an authorised erasure removed it. Rows from
 * before commitments existed say nothing about their bodies.
 * @returns the number of erased bodies
 */
export async function verifyBodies(
  runQuery: RunQuery,
  seal: number,
  rows: readonly RowWithoutBody[],
  defects: Defects,
): Promise<number> {
  for (const { callId, part, body } of rows)
    if (body === "edited") defects.add("body_edited", seal, callId, `The ${part} were changed.`);
  const missing = rows.filter(({ body }) => body === "missing");
  if (missing.length === 0) return 0;
  const erased = await readErased(
    runQuery,
    missing.map(({ callId }) => callId),
  );
  for (const { callId, part } of missing)
    if (!erased.has(callId)) defects.add("body_deleted", seal, callId, `The ${part} are missing and were not erased.`);
  return missing.filter(({ callId }) => erased.has(callId)).length;
}
