import { db } from "@/lib/store/db/database";
import type { LoggedRaise } from "@/lib/store/log/executions-rows";

/** A call that a script made. */
interface NestedCall {
  readonly callId: string;
  readonly toolId: string;
  /** The labels that its outcome raised; `null` = none, or no outcome yet. */
  readonly raised: readonly LoggedRaise[] | null;
}

/**
 * One call of each tool that a script called, directly or through a script that it called (the most levels that the
 * pipeline allows): the earliest whose outcome raised labels, else the earliest. Omits calls that were not attempted: the
 * script's result may contain what the others read.
 *
 * @throws AppError `config_unavailable`
 */
export async function findNestedCalls(callId: string): Promise<readonly NestedCall[]> {
  return db().$queryRaw<NestedCall[]>`
    SELECT DISTINCT ON ("toolId") execution."callId", "toolId", outcome."raised" FROM execution
    LEFT JOIN LATERAL (SELECT attempts, raised FROM execution_outcome AS ended
        WHERE ended."callId" = execution."callId" AND ended."callAt" = execution."at" LIMIT 1) outcome ON true
    WHERE "toolId" IS NOT NULL
      AND (parent = ${callId} OR parent = ANY (ARRAY(SELECT child."callId" FROM execution AS child WHERE child.parent = ${callId})))
      AND COALESCE(outcome.attempts, 1) > 0
    ORDER BY "toolId", outcome."raised" IS NULL, execution."at", execution."callId"`;
}
