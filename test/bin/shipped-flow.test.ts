import { randomBytes } from "node:crypto";
import { afterAll, beforeEach, describe, expect, inject, it } from "vitest";
import { Client } from "pg";
import { deployMigrations } from "@/bin/migrations";
import { SHIPPED_LABELS, TRIFECTA } from "@/lib/resources/shipped-flow";
import { sibling } from "@/test/support/local-database";

// The migration that adds the shipped labels and the rule to an installation that has a configuration.

const MIGRATION = "20261124184500_shipped_flow";
const server = inject("postgres");
const names: string[] = [];
let client: Client;
let url: string;

async function connect(to: string): Promise<Client> {
  const connected = new Client({ connectionString: to });
  await connected.connect();
  return connected;
}

beforeEach(async () => {
  const name = `shipped_${process.pid}_${randomBytes(3).toString("hex")}`;
  const admin = await connect(server.url);
  await admin.query(`create database "${name}"`);
  await admin.end();
  names.push(name);
  url = sibling(server.url, name);
  await deployMigrations(url, process.cwd(), (migration) => migration < MIGRATION);
  client = await connect(url);
  return () => client.end();
});
afterAll(async () => {
  const admin = await connect(server.url);
  for (const name of names) await admin.query(`drop database "${name}" with (force)`);
  await admin.end();
});

const rows = async (query: string) => (await client.query<Record<string, unknown>>(query)).rows;
const labels = () => rows('select "name", "description", "scope", "holdMinutes" from label order by 1');
const rules = () =>
  rows('select "name", "description", "active", "mode", "when", "restrict", "effect" from flow_rule order by 1');

async function saveOnce(): Promise<void> {
  await client.query("insert into revision values (1, now(), 'user', 'ops', 'admin', '')");
  await client.query("update config_state set revision = 1");
}

describe("the shipped labels", () => {
  it("come to an installation that has a configuration, as one revision with its changes", async () => {
    await saveOnce();
    await deployMigrations(url);
    expect(await labels()).toEqual(SHIPPED_LABELS);
    expect(await rules()).toEqual([TRIFECTA]);
    expect(await rows("select revision from config_state")).toEqual([{ revision: 2 }]);
    const changes = await rows('select resource, "rowId", action, before, after from change where revision = 2');
    const created = (resource: string, after: { name: string }) => ({
      resource,
      rowId: after.name,
      action: "create",
      before: null,
      after,
    });
    expect(changes).toEqual(
      expect.arrayContaining([...SHIPPED_LABELS.map((label) => created("labels", label)), created("flows", TRIFECTA)]),
    );
    expect(changes).toHaveLength(3);
  });

  it("leave a name alone that is taken", async () => {
    await saveOnce();
    await client.query(
      `insert into label values ('private', 'Mine', 'run', null, 1, now(), now()), ('untrusted', '', 'run', null, 1, now(), now())`,
    );
    await client.query(
      `insert into flow_rule values ('trifecta', 'Mine', true, 'enforce', '["private"]', '[]', 'hide', 1, now(), now())`,
    );
    await deployMigrations(url);
    expect((await labels()).map(({ scope }) => scope)).toEqual(["run", "run"]);
    expect(await rules()).toMatchObject([{ description: "Mine", active: true }]);
    expect(await rows("select revision from config_state")).toEqual([{ revision: 1 }]);
  });

  it("wait for the first start of a new installation", async () => {
    await deployMigrations(url);
    expect([await labels(), await rules()]).toEqual([[], []]);
    expect(await rows("select revision from config_state")).toEqual([{ revision: 0 }]);
  });
});
