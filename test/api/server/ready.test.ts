import { afterEach, expect, it, vi } from "vitest";
import { ready } from "@/lib/server/health";
import { readyOutput } from "@/lib/contracts/agents/health";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();

async function asked() {
  const response = await ready(new Request("http://127.0.0.1:3000/api/ready"));
  return { status: response.status, ...readyOutput.parse(await response.json()).checks };
}

const READY = { status: 200, database: true, migrations: true, configuration: true };
const BEHIND = { ...READY, status: 503, migrations: false };
const LAST = "(select max(migration_name) from _prisma_migrations)";

const undo: string[] = [];
afterEach(async () => {
  for (const sql of undo.splice(0)) await database.query(sql);
});

it("a process whose tables are there is ready, with those of a later version too", async () => {
  const later = "29991231000000_of_a_later_version";
  undo.push(`delete from _prisma_migrations where migration_name = '${later}'`);
  expect(await asked()).toEqual(READY);
  await database.query(
    `insert into _prisma_migrations (id, checksum, migration_name, finished_at) values ('later', '', '${later}', now())`,
  );
  expect(await asked()).toEqual(READY);
});

it.each(["finished_at = null", "rolled_back_at = now()", "migration_name = '20000101000000_another'"])(
  "a process that was ready is not while the database lacks one of its migrations (%s), and is again when it has it",
  async (change) => {
    expect(await asked()).toEqual(READY);
    const [row] = await database.query<{ id: string; name: string; at: string }>(
      `select id, migration_name as name, finished_at::text as at from _prisma_migrations where migration_name = ${LAST}`,
    );
    await database.query(`update _prisma_migrations set ${change} where id = '${row!.id}'`);
    undo.push(`update _prisma_migrations set finished_at = '${row!.at}', rolled_back_at = null,
      migration_name = '${row!.name}' where id = '${row!.id}'`);
    expect(await asked()).toEqual(BEHIND);
    await database.query(undo.pop()!);
    expect(await asked()).toEqual(READY);
  },
);

it("requests at the same time share one check, so that strangers cannot use up the connections to the database", async () => {
  const waiting = `select 1 from pg_locks where not granted and relation = '_prisma_migrations'::regclass`;
  await database.query("begin");
  await database.query("lock table _prisma_migrations in access exclusive mode");
  const answers = Array.from({ length: 50 }, asked);
  await vi.waitUntil(async () => (await database.query(waiting)).length > 0, { timeout: 15_000 });
  for (let look = 0; look < 50; look += 1) expect(await database.query(waiting)).toHaveLength(1);
  await database.query("commit");
  expect(await Promise.all(answers)).toEqual(answers.map(() => READY));
});
