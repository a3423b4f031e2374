import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { Client } from "pg";
import { deployMigrations } from "@/bin/migrations";
import { migrationNames } from "@/lib/server/migration-names";
import { sibling } from "@/test/support/local-database";
import { dropDatabase } from "@/test/support/servers/throwaway-server";

// A database that the replaced migrations made has exactly the baseline's tables, and another history.

const server = inject("postgres");
const [baseline = "", ...later] = migrationNames(process.cwd());
const FIRST = "20260101000000_init";
const BEFORE_LAST = "20261123033817_mcp_extras";
const LAST = "20261123040451_drift_held_by_hand";
let client: Client;
let url: string;

beforeEach(async () => {
  url = sibling(server.url, `baseline_${randomBytes(4).toString("hex")}`);
  const admin = new Client({ connectionString: server.url });
  await admin.connect();
  await admin.query(`create database ${new URL(url).pathname.slice(1)}`);
  await admin.end();
  await deployMigrations(url, process.cwd(), (name) => name === baseline);
  client = new Client({ connectionString: url });
  await client.connect();
  await client.query(
    `insert into execution ("callId", instance, "requestId", at, door, issuer, subject, "claimsDigest", asked, revision, request)
     values ('call_kept', 'i', 'r', now(), 'rest', 'x', 's', 'd', 'a', 1, '{}')`,
  );
});
afterEach(async () => {
  await client.end();
  await dropDatabase(server.url, new URL(url).pathname.slice(1));
});

/** Replaces the history by that of the replaced migrations. */
async function record(names: readonly string[], change = ""): Promise<void> {
  await client.query("delete from _prisma_migrations");
  await client.query(
    `insert into _prisma_migrations (id, checksum, migration_name, finished_at) select name, '', name, now() from unnest($1::text[]) name`,
    [names],
  );
  if (change !== "") await client.query(`update _prisma_migrations set ${change}`);
}

async function history(): Promise<unknown[]> {
  const { rows } = await client.query(
    `select migration_name as name, checksum, finished_at is not null as finished, rolled_back_at is null as stands,
       applied_steps_count as steps from _prisma_migrations order by 1`,
  );
  return rows;
}

describe("a database of the replaced migrations", () => {
  it("at the last of them has the baseline's history from then on, with every row, whichever deploy comes first", async () => {
    const made = await history();
    await record([FIRST, BEFORE_LAST, LAST]);
    const applied = await Promise.all([deployMigrations(url), deployMigrations(url)]);
    expect(applied.flat()).toEqual(later);
    expect((await history()).slice(0, 1)).toEqual(made);
    expect(await deployMigrations(url)).toEqual([]);
    expect((await client.query(`select "callId" from execution`)).rows).toEqual([{ callId: "call_kept" }]);
  });

  it("that lacks the last old migration is refused with the command to run first, and stays unchanged", async () => {
    await record([FIRST, BEFORE_LAST]);
    const before = await history();
    await expect(deployMigrations(url)).rejects.toThrow(
      `Its last migration is ${BEFORE_LAST}, and this version continues from ${LAST}. First run \`npm run migrate\` of the version`,
    );
    expect(await history()).toEqual(before);
  });

  it("that holds an unfinished migration is refused, and stays unchanged", async () => {
    await record([FIRST, LAST], `finished_at = null where migration_name = '${LAST}'`);
    const before = await history();
    await expect(deployMigrations(url)).rejects.toThrow(`The migration ${LAST} did not finish`);
    expect(await history()).toEqual(before);
  });

  it("whose last migration was undone stops at the one before", async () => {
    await record([FIRST, BEFORE_LAST, LAST], `rolled_back_at = now() where migration_name = '${LAST}'`);
    await expect(deployMigrations(url)).rejects.toThrow(`Its last migration is ${BEFORE_LAST}`);
  });
});
