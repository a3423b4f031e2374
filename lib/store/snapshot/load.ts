import { Prisma } from "@/lib/store/generated/client";
import type { KnownRows } from "@/lib/store/snapshot/known-rows";
import type { Connection } from "@/lib/store/config/tables";
import type { Kind, Stored } from "@/lib/store/config/values";
import { bulkDb } from "@/lib/store/db/database";

/** The kinds that a request reads: who is calling, and what a resolution decides on. */
export const SNAPSHOT_KINDS = [
  ...(["sources", "tools", "groups", "policies", "machines", "personas", "intents", "issuers", "agents"] as const),
  ...(["settings", "pauses", "drift-acceptances", "revocations"] as const),
] as const satisfies readonly Kind[];

/** Rows as they are stored, not yet read by any schema, by kind and id. */
export type StoredRows = Readonly<Record<(typeof SNAPSHOT_KINDS)[number], ReadonlyMap<string, Stored<Kind>>>>;

/** One consistent reading: the rows, and the revision they are of. */
export interface Reading {
  readonly revision: number;
  readonly rows: StoredRows;
}

/** The revision that is current; 0 in an empty database. */
export async function currentRevision(connection: Connection): Promise<number> {
  const [state] = await connection.$queryRaw<{ revision: number }[]>`select revision from config_state where id = 1`;
  return state?.revision ?? 0;
}

/** Reads the whole configuration in one transaction that sees a single moment; `known` spares what has not changed. */
export async function loadRows<T = undefined>(
  known: KnownRows,
  beside?: (tx: Prisma.TransactionClient) => Promise<T>,
): Promise<Reading & { readonly beside: T | undefined }> {
  return bulkDb().$transaction(
    async (tx) => {
      const revision = await currentRevision(tx);
      const rows = await known.read(tx, SNAPSHOT_KINDS);
      return { revision, rows, beside: await beside?.(tx) };
    },
    { isolationLevel: Prisma.TransactionIsolationLevel.RepeatableRead },
  );
}
