import type { Defects } from "@/lib/audit/verify/defects";
import type { ReadRow, SealedRow } from "@/lib/audit/record/record";
import type { RunQuery } from "@/lib/store/db/log-session";
import { readErased } from "@/lib/store/audit/seals";

/** A row of a call, or an audit event, which has no body. */
export type RowWithBody = SealedRow & Partial<Pick<ReadRow, "part" | "body">>;

/**
 * Reports edited, missing and added bodies. A missing body is no defect when an authorised erasure removed it.
 * @returns the number of erased bodies
 */
export async function verifyBodies(
  runQuery: RunQuery,
  seal: number,
  rows: readonly RowWithBody[],
  defects: Defects,
): Promise<number> {
  for (const { callId, part, body } of rows) {
    if (body === "edited") defects.add("body_edited", seal, callId, `The ${part} were changed.`);
    if (body === "added")
      defects.add("body_inserted", seal, callId, `The ${part} were added: the row commits to none.`);
  }
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
