import { db } from "@/lib/store/db/database";
import { CALLS_OF_AGENTS } from "@/lib/store/log/refused-attempts";

/** Lists enabled agents that were created before `since` and made no call after it. Uses the index on agent and time. */
export async function listIdleAgents(since: Date): Promise<readonly string[]> {
  const rows = await db().$queryRaw<{ readonly name: string }[]>`
    SELECT "name" FROM agent WHERE "enabled" AND "createdAt" < ${since}
      AND NOT EXISTS (SELECT 1 FROM execution WHERE execution."agent" = agent."name" AND execution."at" >= ${since}
        AND ${CALLS_OF_AGENTS})
    ORDER BY "name"`;
  return rows.map(({ name }) => name);
}
