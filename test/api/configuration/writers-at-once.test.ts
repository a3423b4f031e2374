import { Client } from "pg";
import { beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { approveDrift } from "@/lib/sources/drift/decide-drift";
import { groupInput } from "@/lib/resources/group";
import { groups } from "@/lib/store/config/groups";
import { db, forPerson } from "@/lib/store/db/database";
import { write } from "@/lib/store/save/write";
import { ADMIN, save, supportDocument } from "@/test/api/agents-world";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();
/** Of the pool for people's requests. */
const CONNECTIONS = 4;

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

it("a save is answered with the row that it saved, although another save follows before anybody reads", async () => {
  const group = groupInput.parse({ name: "menu" });
  await groups.create(ADMIN, group);
  const other = new Client({ connectionString: database.url });
  await other.connect();
  onTestFinished(() => other.end());
  await other.query("select pg_advisory_lock(7)");
  const revision = async () => (await database.query<{ revision: number }>("select revision from config_state"))[0];
  const before = (await revision())?.revision ?? 0;
  // No read outside the saves gets a connection.
  const reads = Array.from({ length: CONNECTIONS }, () =>
    forPerson(async () => db().$queryRaw`select pg_advisory_xact_lock_shared(7)::text`),
  );
  const waiting = "select 1 from pg_stat_activity where wait_event = 'advisory' and datname = current_database()";
  await vi.waitFor(async () => expect(await database.query(waiting)).toHaveLength(CONNECTIONS), { timeout: 5_000 });
  const texts = ["first", "second", "third"];
  const saves = texts.map((description) =>
    forPerson(() => groups.replace(ADMIN, "menu", { ...group, description }, "*")),
  );
  await vi.waitFor(async () => expect(await revision()).toEqual({ revision: before + 3 }), { timeout: 5_000 });
  await other.query("select pg_advisory_unlock(7)");
  expect((await Promise.all(saves)).map(({ description }) => description)).toEqual(texts);
  await Promise.all(reads);
});
