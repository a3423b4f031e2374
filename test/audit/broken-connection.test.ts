import { once } from "node:events";
import { afterAll, expect, it } from "vitest";
import { closeDatabase, logPool } from "@/lib/store/db/database";
import { logSession } from "@/lib/store/db/log-session";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();
afterAll(closeDatabase);

it("a connection that breaks between two statements fails its session, and the next session has a new one", async () => {
  const removed = once(logPool(), "remove");
  const broken = logSession("read", async (run) => {
    const [own] = await run<{ pid: number }>("select pg_backend_pid() as pid");
    await database.query("select pg_terminate_backend($1, 5000)", [own?.pid]);
    return run("select 1");
  });
  // An error event without a listener would also fail the test run.
  await expect(broken).rejects.toThrow(/not queryable|terminat/);
  await removed;
  expect(await logSession("read", (run) => run("select 1 as one"))).toEqual([{ one: 1 }]);
});
