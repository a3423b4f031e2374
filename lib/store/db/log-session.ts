import type { PoolClient } from "pg";
import { CopyOut, type Tuple } from "@/lib/store/db/copy-out";
import { logPool, takeRows } from "@/lib/store/db/database";

/** Asks one statement; times come as `Date`, transaction numbers and JSON as text. */
export type Ask = <R extends object>(sql: string, values?: readonly unknown[]) => Promise<R[]>;

/** Reads what a `SELECT` answers, row by row, none of them kept: `each` gets one that is gone when it returns. */
export type Copy = (select: string, each: (row: Tuple) => void) => Promise<void>;

/** What a session with the log is for: reading one unmoving state of it, or adding to it. */
const BEGIN = {
  read: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
  add: "BEGIN",
} as const;

/** One transaction on a connection of its own: committed when `work` resolves, undone when it rejects. */
export async function logSession<T>(kind: keyof typeof BEGIN, work: (ask: Ask, copy: Copy) => Promise<T>): Promise<T> {
  const client: PoolClient = await logPool().connect();
  let failed: Error | undefined;
  try {
    const ask: Ask = async <R extends object>(sql: string, values: readonly unknown[] = []) =>
      takeRows(await client.query<R>(sql, [...values]));
    const copy: Copy = (select, each) => client.query(new CopyOut(select, each)).done;
    await client.query(BEGIN[kind]);
    const result = await work(ask, copy);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    failed = error instanceof Error ? error : new Error(String(error));
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  } finally {
    // A connection on which something went wrong is not used again.
    client.release(failed);
  }
}
