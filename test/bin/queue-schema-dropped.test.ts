import { readFileSync } from "node:fs";
import { beforeEach, expect, it } from "vitest";
import { migrationNames } from "@/lib/server/migration-names";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();
const name = migrationNames(process.cwd()).find((one) => one.endsWith("_kept_call_due_at"));
const [, drop = ""] = /(DO \$\$[^]*)/.exec(readFileSync(`prisma/migrations/${name}/migration.sql`, "utf8")) ?? [];

const isThere = async () => (await database.query("select to_regnamespace('pgboss') as it"))[0]?.["it"] !== null;

beforeEach(() => database.query("drop schema if exists pgboss cascade"));

it("the migration drops the schema of the former queue, once and again", async () => {
  await database.query("create schema pgboss; create table pgboss.queue (name text)");
  await database.query("insert into pgboss.queue values ('calls'), ('__pgboss__send-it')");
  await database.query(drop);
  expect(await isThere()).toBe(false);
  await database.query(drop);
});

it("the migration keeps a schema with queues of another program, and one that is no queue", async () => {
  await database.query("create schema pgboss");
  await database.query(drop);
  await database.query("create table pgboss.queue (name text); insert into pgboss.queue values ('calls'), ('mails')");
  await database.query(drop);
  expect(await isThere()).toBe(true);
});
