import type { PoolClient } from "pg";
import { CopyOut, type Tuple } from "@/lib/store/db/copy-out";
import { logPool, drainRows } from "@/lib/store/db/database";

/** Runs one statement. Times are `Date`; transaction numbers and JSON are text. */
export type RunQuery = <R extends object>(sql: string, values?: readonly unknown[]) => Promise<R[]>;

/** Streams the rows of a `SELECT`. `each` must not keep its row, which is valid only during the call. */
export type Copy = (select: string, each: (row: Tuple) => void) => Promise<void>;

/** The two kinds of log session: reading one fixed state of the log, or adding to it. */
const BEGIN = {
  read: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
  add: "BEGIN",
} as const;

/** Runs one transaction on its own connection: commits when `work` resolves, rolls back when it rejects. */
export async function logSession<T>(
  kind: keyof typeof BEGIN,
  work: (runQuery: RunQuery, copy: Copy) => Promise<T>,
): Promise<T> {
  const client: PoolClient = await logPool().connect();
  let failed: Error | undefined;
  try {
    const runQuery: RunQuery = async <R extends object>(sql: string, values: readonly unknown[] = []) =>
      drainRows(await client.query<R>(sql, [...values]));
    const copy: Copy = (select, each) => client.query(new CopyOut(select, each)).done;
    await client.query(BEGIN[kind]);
    const result = await work(runQuery, copy);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    failed = error instanceof Error ? error : new Error(String(error));
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  } finally {
    // A connection with an error is destroyed, not reused.
    client.release(failed);
  }
}
