import type { PoolClient } from "pg";
import { logPool } from "@/lib/store/database";

/** Asks one statement; times come as `Date`, transaction numbers and JSON as text. */
export type Ask = <R extends object>(sql: string, values?: readonly unknown[]) => Promise<R[]>;

/** What a session with the log is for: reading one unmoving state of it, or adding to it. */
const BEGIN = {
  read: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
  add: "BEGIN",
} as const;

/** One transaction on a connection of its own: committed when `work` resolves, undone when it rejects. */
export async function logSession<T>(kind: keyof typeof BEGIN, work: (ask: Ask) => Promise<T>): Promise<T> {
  const client: PoolClient = await logPool().connect();
  let failed: Error | undefined;
  try {
    const ask: Ask = async <R extends object>(sql: string, values: readonly unknown[] = []) =>
      (await client.query<R>(sql, [...values])).rows;
    await client.query(BEGIN[kind]);
    const result = await work(ask);
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
