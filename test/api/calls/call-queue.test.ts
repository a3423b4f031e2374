import { Client } from "pg";
import { afterAll, expect, it, onTestFinished, vi } from "vitest";
import { closeCallQueue, leaveCallQueue, workCallQueue } from "@/lib/store/calls/call-queue";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();
afterAll(closeCallQueue);

it("a process that leaves the queue takes nothing more on, not even what it had asked for: that is handed out again", async () => {
  const take = vi.fn<(callId: string) => Promise<void>>(async () => {});
  await workCallQueue(take);
  const holder = new Client({ connectionString: database.url });
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query("begin; lock table pgboss.job in access exclusive mode");
  await holder.query(`insert into pgboss.job (name, data, retry_limit) values ('calls', '{"callId":"call_1"}', 10)`);
  const asks = async () =>
    expect(
      await database.query(
        `select 1 from pg_stat_activity where datname = current_database() and application_name = 'quartermaster queue'
         and wait_event_type = 'Lock' and query ilike '%skip locked%'`,
      ),
    ).toHaveLength(1);
  await vi.waitFor(asks, { timeout: 5_000 });
  await leaveCallQueue();
  await holder.query("commit");
  const state = async () => (await database.query<{ state: string }>("select state::text from pgboss.job"))[0]?.state;
  await vi.waitFor(async () => expect(await state()).toBe("retry"), { timeout: 5_000 });
  expect(take).not.toHaveBeenCalled();
});
