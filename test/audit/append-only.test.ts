import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished, vi } from "vitest";
import { deployMigrations } from "@/bin/migrations";
import { enterAppRole } from "@/lib/store/db/connection-role";
import { db, listen } from "@/lib/store/db/database";
import { logSession } from "@/lib/store/db/log-session";
import { readProtection } from "@/lib/store/audit/seals";
import { erasureOf, LogWorld } from "@/test/audit/log-world";
import { sibling } from "@/test/support/local-database";
import { dropDatabase } from "@/test/support/servers/throwaway-server";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();
const world = new LogWorld(database);
let app: Client;
let callId = "";
const month = () => `execution_${new Date().toISOString().slice(0, 7).replace("-", "_")}`;

beforeAll(async () => {
  [callId = ""] = await world.call();
  await world.seal();
  app = new Client({ connectionString: database.url });
  await app.connect();
  await enterAppRole(app);
});
afterAll(() => app.end());

const LOG = ["execution", "execution_outcome", "execution_body", "seal", "seal_leaves", "seal_key", "audit_event"];

describe("the app", () => {
  it("runs under a role that does not own the log", async () => {
    const owned = `select count(*)::int as owned from pg_tables where tableowner = current_user`;
    expect(await db().$queryRawUnsafe(`select current_user::text as who`)).toEqual([{ who: "quartermaster_app" }]);
    expect(await db().$queryRawUnsafe(owned)).toEqual([{ owned: 0 }]);
    expect(await logSession("read", readProtection)).toBe("role");
  });

  it("works under it with the connection that listens", async () => {
    const asked = vi.spyOn(Client.prototype, "query");
    onTestFinished(() => asked.mockRestore());
    const connection = () =>
      (asked.mock.contexts as (Client & { connectionParameters: { application_name: string } })[]).find(
        ({ connectionParameters }) => connectionParameters.application_name === "quartermaster-listen",
      );
    listen("append_only", () => {});
    await vi.waitUntil(() => connection() !== undefined, { timeout: 10_000 });
    const { rows } = (await connection()?.query("select current_user::text as who")) ?? {};
    expect(rows).toEqual([{ who: "quartermaster_app" }]);
    for (const sql of ["update execution set asked = 'x'", "delete from seal", "drop table execution_outcome"])
      await expect(connection()?.query(sql)).rejects.toMatchObject({ code: "42501" });
  });

  it.each(LOG)("may add to %s and read it, and nothing else", async (table) => {
    const { rows } = await app.query(
      `select array_agg(privilege order by privilege) as may from unnest(
         array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) privilege
       where has_table_privilege($1, privilege)`,
      [table],
    );
    expect(rows).toEqual([{ may: ["INSERT", "SELECT"] }]);
  });

  it.each([
    [`update execution set asked = 'x'`],
    [`delete from execution_outcome`],
    [`delete from execution_body`],
    [`truncate execution`],
    [`truncate execution_outcome, execution_body`],
    [`drop table execution`],
    [`drop table seal`],
    [`alter table execution disable trigger all`],
    [`drop trigger append_only on execution`],
    [`alter table execution rename to gone`],
    [`alter table execution add column more text`],
    [`alter table execution alter column xid set default '1'`],
    [`create rule r as on update to execution do instead nothing`],
    [`create trigger t before insert on execution for each row execute function refuse_log_change()`],
    [`create or replace function refuse_log_change() returns trigger language plpgsql as 'begin return null; end'`],
    [`drop function refuse_log_change() cascade`],
    [`set session_replication_role = replica`],
    [`alter role quartermaster_app superuser`],
    [`select grant_app_role()`],
    [`select add_log_month('2031-01-01')`],
    [`insert into seal (number) select number from seal on conflict (number) do update set root = 'x'`],
    [`merge into execution t using execution s on t."callId" = s."callId" when matched then update set asked = 'x'`],
    [`with gone as (delete from seal returning 1) select count(*) from gone`],
    [`select 1 from execution for update`],
    [`copy execution to program 'true'`],
  ])("is refused %s", async (sql) => {
    await expect(app.query(sql)).rejects.toMatchObject({ code: "42501" });
  });

  it("cannot use the tables of single months", async () => {
    for (const sql of [
      `select 1 from ${month()}`,
      `delete from ${month()}`,
      `alter table execution detach partition ${month()}`,
    ])
      await expect(app.query(sql)).rejects.toMatchObject({ code: "42501" });
  });

  it("may erase bodies only through the function that records it", async () => {
    const [other = ""] = await world.call();
    const { rows } = await app.query(erasureOf(other));
    expect(rows).toEqual([{ calls: 1, bodies: 2 }]);
    expect(
      await database.query(`select actor, action, target from audit_event where action = 'executions.erased'`),
    ).toEqual([{ actor: "ada@localhost", action: "executions.erased", target: other }]);
    expect(await database.query(`select 1 from execution where "callId" = $1`, [other])).toHaveLength(1);
  });
});

describe("a login without rights", () => {
  it("runs no function that has the owner's rights", async () => {
    const { rows } = await app.query(
      `select proname::text as name, has_function_privilege('public', oid, 'EXECUTE') as public,
         has_function_privilege('quartermaster_app', oid, 'EXECUTE') as app
       from pg_proc where prosecdef and pronamespace = current_schema::regnamespace order by 1`,
    );
    expect(rows).toEqual([
      { name: "add_log_month", public: false, app: false },
      { name: "drop_log_month", public: false, app: true },
      { name: "erase_bodies_of", public: false, app: true },
      { name: "prepare_log_months", public: false, app: true },
    ]);
  });

  it("cannot erase bodies under a person's name", async () => {
    const name = `reader_${randomBytes(4).toString("hex")}`;
    await database.query(`create role ${name} login password 'reader'`);
    const url = new URL(database.url);
    [url.username, url.password] = [name, "reader"];
    const reader = new Client({ connectionString: url.href });
    await reader.connect();
    try {
      await expect(
        reader.query(
          `select erase_bodies_of(null, null, null, null, 'infinity', 'user', 'ada@localhost', 'admin', null)`,
        ),
      ).rejects.toMatchObject({ code: "42501" });
    } finally {
      await reader.end();
      await database.query(`drop role ${name}`);
    }
  });
});

describe("the owner", () => {
  it.each([
    ...["execution", "execution_outcome", "seal", "seal_leaves", "audit_event"].flatMap((table) => [
      `delete from ${table}`,
      `truncate ${table}`,
    ]),
    `update execution_body set text = 'x'`,
    `truncate execution_body`,
  ])("is refused %s by trigger, unless somebody means it", async (sql) => {
    await expect(database.query(sql)).rejects.toThrow("append-only");
  });

  it("cannot change a month's table: a trigger refuses", async () => {
    await expect(database.query(`truncate ${month()}`)).rejects.toThrow("append-only");
    await expect(database.query(`delete from ${month()}`)).rejects.toThrow("append-only");
  });
});

describe("an older app", () => {
  it("does not state when the call began: its outcome is stored once, in the call's month", async () => {
    const id = `call_before_${randomBytes(3).toString("hex")}`;
    await database.query(
      `create temp table before as select * from execution where "callId" = '${callId}';
       update before set "callId" = '${id}'; insert into execution select * from before`,
    );
    const outcome = `insert into execution_outcome ("callId", at, status, attempts, empty) values ('${id}', now(), 'failed', 1, true)`;
    await database.query(outcome);
    expect(
      await database.query(
        `select o."callAt" = e.at as beside, o.tableoid::regclass::text as month from execution_outcome o
         join execution e on e."callId" = o."callId" where o."callId" = $1`,
        [id],
      ),
    ).toEqual([{ beside: true, month: month().replace("execution", "execution_outcome") }]);
    await expect(database.query(outcome)).rejects.toMatchObject({ code: "23505" });
  });
});

describe("a database whose user may not make roles", () => {
  const name = `poor_${randomBytes(4).toString("hex")}`;
  const server = inject("postgres");
  let poor: Client;

  beforeAll(async () => {
    const admin = new Client({ connectionString: server.url });
    await admin.connect();
    await admin.query(`create role ${name} login nocreaterole password 'poor'`);
    await admin.query(`create database ${name} owner ${name}`);
    await admin.end();
    const url = new URL(sibling(server.url, name));
    url.username = name;
    url.password = "poor";
    await deployMigrations(url.href);
    poor = new Client({ connectionString: url.href });
    await poor.connect();
    await enterAppRole(poor);
  });
  afterAll(async () => {
    await poor.end();
    await dropDatabase(server.url, name);
    const admin = new Client({ connectionString: server.url });
    await admin.connect();
    await admin.query(`drop role ${name}`);
    await admin.end();
  });

  it("is migrated, runs as its own user, and reports that only triggers protect the log", async () => {
    expect((await poor.query(`select current_user as who`)).rows).toEqual([{ who: name }]);
    expect(await readProtection(async (sql, values = []) => (await poor.query(sql, [...values])).rows)).toBe(
      "triggers",
    );
    await expect(poor.query("truncate execution")).rejects.toThrow("append-only");
    expect((await poor.query("select prepare_log_months() as made")).rows).toEqual([{ made: true }]);
  });

  it("is repaired by the steps of docs/audit.md", async () => {
    const [, written = ""] = readFileSync("docs/audit.md", "utf8").split("## The database role");
    const [make = "", grant = "", own = ""] = [...written.matchAll(/^ {4}(.+;)$/gm)].map(([, sql = ""]) => sql);
    const admin = new Client({ connectionString: server.url });
    await admin.connect();
    // The role belongs to the whole cluster, and already exists.
    await expect(admin.query(make)).rejects.toMatchObject({ code: "42710" });
    await admin.query(grant.replace("the_user_of_DATABASE_URL", name));
    await admin.end();
    await poor.query("reset role");
    expect((await poor.query(own)).rows).toEqual([{ grant_app_role: true }]);
    await enterAppRole(poor);
    expect(await readProtection(async (sql, values = []) => (await poor.query(sql, [...values])).rows)).toBe("role");
    await expect(poor.query("delete from execution")).rejects.toMatchObject({ code: "42501" });
    const changeable = await poor.query(
      `select distinct tgrelid::regclass::text as name from pg_trigger where tgfoid = 'refuse_log_change'::regproc
         and has_table_privilege('quartermaster_app', tgrelid, 'UPDATE, DELETE')`,
    );
    expect(changeable.rows).toEqual([]);
    expect((await poor.query("select prepare_log_months() as made")).rows).toEqual([{ made: true }]);
  });
});
