import { afterAll, beforeAll, inject } from "vitest";
import { Client } from "pg";
import { endModules } from "@/test/support/vitest/end-modules";
import { copyTemplate, dropDatabase } from "@/test/support/servers/throwaway-server";

/** Raw access to a test file's own database, for statements that the code under test must not run. */
export interface TestDatabase {
  readonly url: string;
  /** Runs SQL on a connection separate from the code under test. */
  query<R extends object = Record<string, unknown>>(sql: string, values?: readonly unknown[]): Promise<R[]>;
}

/**
 * Gives the test file the migrated, empty database that `DATABASE_URL` already names, and drops it
 * afterwards. Call it once at the top of the file; code under test then connects as in production.
 */
export function useDatabase(): TestDatabase {
  const url = process.env["DATABASE_URL"] ?? "";
  const name = new URL(url).pathname.slice(1);
  const server = inject("postgres");
  let client: Client | undefined;

  beforeAll(async () => {
    await copyTemplate(server.url, server.template, name);
    client = new Client({ connectionString: url });
    // `drop … with (force)` ends this connection too.
    client.on("error", () => {});
    await client.connect();
  });
  afterAll(async () => {
    await endModules();
    await client?.end();
    await dropDatabase(server.url, name);
  });

  const query: TestDatabase["query"] = async <R extends object>(sql: string, values: readonly unknown[] = []) => {
    if (client === undefined) throw new Error("Use the database inside tests and hooks only.");
    return (await client.query<R>(sql, [...values])).rows;
  };
  return { url, query };
}
