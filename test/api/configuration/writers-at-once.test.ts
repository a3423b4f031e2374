import { Client } from "pg";
import { beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { approveDrift } from "@/lib/sources/drift/decide-drift";
import { write } from "@/lib/store/save/write";
import { ADMIN, save, supportDocument } from "@/test/api/agents-world";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();

beforeAll(() => save(supportDocument()));

it("a save reads everything over its own connection, so waiting saves may hold all others", async () => {
  const first = new Client({ connectionString: database.url });
  await first.connect();
  onTestFinished(() => first.end());
  await first.query("begin; select 1 from config_state for update");
  const waiting = async () =>
    (
      await database.query(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
    ).length;
  const nothingWaits = approveDrift(ADMIN, [{ id: "support:get_order", hash: "0".repeat(64) }]).catch(
    (error: unknown) => error,
  );
  await vi.waitFor(async () => expect(await waiting()).toBe(1), { timeout: 5_000 });
  const others = [1, 2, 3].map(() => write(ADMIN, () => []));
  await vi.waitFor(async () => expect(await waiting()).toBe(4), { timeout: 5_000 });
  await first.query("commit");
  expect(await nothingWaits).toMatchObject({ code: "not_found" });
  await Promise.all(others);
});
