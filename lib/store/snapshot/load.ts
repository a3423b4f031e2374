import { Prisma } from "@/lib/store/generated/client";
import type { KnownRows } from "@/lib/store/snapshot/known-rows";
import type { Connection } from "@/lib/store/config/tables";
import type { Kind, Stored } from "@/lib/store/config/values";
import { DECIDING } from "@/lib/resources/sections";
import { bulkDb } from "@/lib/store/db/database";

/** The kinds that an agent's request reads: for authentication and for resolution. */
export const SNAPSHOT_KINDS = [
  ...DECIDING,
  ...([
    "settings",
    "pauses",
    "drift-acceptances",
    "access-grants",
    "revocations",
    "connections",
    "clients",
    "token-keys",
  ] as const),
] as const satisfies readonly Kind[];

/** Stored rows by kind and id, before any schema parses them. */
export type StoredRows = Readonly<Record<(typeof SNAPSHOT_KINDS)[number], ReadonlyMap<string, Stored<Kind>>>>;

/** One consistent reading: the rows and their revision. */
export interface Reading {
  readonly revision: number;
  readonly rows: StoredRows;
}

/** The present revision; 0 in an empty database. */
export async function currentRevision(connection: Connection): Promise<number> {
  const [state] = await connection.$queryRaw<{ revision: number }[]>`select revision from config_state where id = 1`;
  return state?.revision ?? 0;
}

/** Reads the whole configuration in one repeatable-read transaction. `known` supplies unchanged rows. */
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
