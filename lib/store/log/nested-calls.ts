import { db } from "@/lib/store/db/database";
import { translateErrors } from "@/lib/store/db/translate";

/** A call that a script made. */
interface NestedCall {
  readonly callId: string;
  readonly toolId: string;
}

/**
 * The calls that ran or still run under a script's call, also those of a script that it called: one per tool, the earliest.
 * The result of the script may contain all that they read.
 *
 * @throws AppError `config_unavailable`
 */
export async function findNestedCalls(callId: string): Promise<readonly NestedCall[]> {
  return translateErrors(
    () => db().$queryRaw<NestedCall[]>`
      SELECT DISTINCT ON ("toolId") "callId", "toolId" FROM execution
      WHERE "toolId" IS NOT NULL
        AND (parent = ${callId} OR parent = ANY (ARRAY(SELECT child."callId" FROM execution AS child WHERE child.parent = ${callId})))
        AND COALESCE((SELECT attempts FROM execution_outcome AS ended
          WHERE ended."callId" = execution."callId" AND ended."callAt" = execution."at" LIMIT 1), 1) > 0
      ORDER BY "toolId", "at", "callId"`,
  );
}
