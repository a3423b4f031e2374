import type { LogHealth } from "@/lib/contracts/agents/health";
import { rowsOf } from "@/lib/store/db/database";
import { Prisma } from "@/lib/store/generated/client";

/** Seconds after which a row without a seal is one that nobody seals: they are sealed within five (docs/reference/promises.md#log). */
const UNSEALED_SECONDS = 60;

/**
 * What keeps the app from changing the log, and whether its rows are sealed: two look-ups in indexes. Rows that were restored from
 * another cluster are not looked for; the sealer takes them first.
 *
 * @throws whatever the store throws
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
