import type { LogHealth } from "@/lib/contracts/agents/health";
import { rowsOf } from "@/lib/store/db/database";
import { Prisma } from "@/lib/store/generated/client";

/** Age in seconds at which an unsealed row shows that no sealer runs. Rows are sealed within five seconds (docs/reference/promises.md#log). */
const UNSEALED_SECONDS = 60;

/**
 * Reads what stops the app from changing the log, and whether its rows are sealed, by two index lookups. Ignores rows that
 * were restored from another cluster; the sealer takes those first.
 *
 * @throws errors of the store
 */
export async function readLogHealth(): Promise<LogHealth> {
  const [row] = await rowsOf<{ role: boolean; behind: boolean }>(Prisma.sql`
    SELECT NOT has_table_privilege('execution', 'UPDATE, DELETE, TRUNCATE, TRIGGER') AS role,
      COALESCE((SELECT at FROM execution
        WHERE xid >= (SELECT COALESCE((SELECT "toXid" FROM seal ORDER BY number DESC LIMIT 1), 0))::text::xid8
        ORDER BY xid LIMIT 1) < now() - make_interval(secs => ${UNSEALED_SECONDS}), false) AS behind`);
  if (row === undefined) return { protection: "unknown", sealing: "unknown" };
  return { protection: row.role ? "role" : "triggers", sealing: row.behind ? "behind" : "current" };
}
