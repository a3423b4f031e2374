import { Client } from "pg";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { GET as listRoute } from "@/app/api/admin/executions/route";
import { GET as histogramRoute } from "@/app/api/admin/executions/histogram/route";
import { closeDatabase, db } from "@/lib/store/db/database";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();
let holder: Client;

/** Reading the log blocks while this is open, so queries end only at their time limit (lib/store/db/database.ts). */
beforeEach(async () => {
  // Signing in must not wait for the lock.
  await list("?limit=1");
  holder = new Client({ connectionString: database.url });
  await holder.connect();
  await holder.query("begin");
  await holder.query("lock table execution in access exclusive mode");
});
afterEach(() => holder.end());
afterAll(closeDatabase);

const list = (query: string) => ask(listRoute, "GET", `/api/admin/executions${query}`, { role: "editor" });

describe("a log that does not answer in time", () => {
  it.each([
    ["search", () => list("?code=rate_limited&group=refunds")],
    [
      "histogram",
      () => ask(histogramRoute, "GET", "/api/admin/executions/histogram?status=denied", { role: "editor" }),
    ],
  ])("tells a %s how to narrow the query", async (_what, query) => {
    const { status, json } = await query();
    expect([status, json.code, json.errors.map(({ path }: { path: string }) => path)]).toEqual([
      400,
      "invalid_request",
      ["from"],
    ]);
  });

  it("reports an unfiltered query as slow, not the store as lost", async () => {
    const { status, json } = await list("");
    expect([status, json.code, json.detail]).toEqual([
      503,
      "config_unavailable",
      "The store did not answer in time; try again shortly.",
    ]);
  });

  it("is lost when it closes the connection during a statement", async () => {
    const asking = list("?code=rate_limited");
    const ended = async () => {
      const { rowCount } = await holder.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and application_name = 'quartermaster'`,
      );
      expect(rowCount).toBeGreaterThan(0);
    };
    await vi.waitFor(ended, { interval: 20, timeout: 5_000 });
    const { status, json } = await asking;
    expect([status, json.code, json.detail]).toEqual([
      503,
      "config_unavailable",
      "The store cannot be reached; try again shortly.",
    ]);
  });
});

describe("a transaction that takes longer than its timeout", () => {
  it("reports the store as slow, not as lost", async () => {
    const timeout = 50;
    const late = db().$transaction(
      async (tx) => {
        await tx.$queryRaw`select pg_sleep(${(2 * timeout) / 1000})::text`;
        await tx.$queryRaw`select 1`;
      },
      { timeout },
    );
    await expect(late).rejects.toThrow("The store did not answer in time; try again shortly.");
  });
});
