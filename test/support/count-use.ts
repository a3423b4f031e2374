import { vi } from "vitest";
import { sealSettled } from "@/lib/audit/seal/sealer";
import { rollUpUsage } from "@/lib/store/usage/rollup";
import type { TestDatabase } from "@/test/support/database";

/** Seals every call that has ended and counts it. */
export async function countUse(database: Pick<TestDatabase, "query">): Promise<void> {
  await sealAll(database);
  await rollUpUsage();
}

/** Seals every call that has ended. Transactions of other test files on the same server delay that. */
export async function sealAll(database: Pick<TestDatabase, "query">): Promise<void> {
  await vi.waitUntil(
    async () => {
      await sealSettled();
      const open = await database.query(
        `select from execution_outcome where xid >= (select coalesce(max("toXid"), 0) from seal)::text::xid8 limit 1`,
      );
      return open.length === 0;
    },
    { timeout: 60_000, interval: 100 },
  );
}
