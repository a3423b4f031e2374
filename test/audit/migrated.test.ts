import { randomBytes } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { deployMigrations } from "@/bin/migrations";
import { sibling } from "@/test/support/local-database";
import { dropDatabase } from "@/test/support/servers/throwaway-server";

const server = inject("postgres");
const name = `before_${randomBytes(4).toString("hex")}`;
const url = sibling(server.url, name);
const ROOT = "prisma/migrations";
let client: Client;
/** The transactions that wrote the rows, as the old tables record them. */
let written: readonly object[];

/** The migrations before the log was sealed. */
function before(): string {
  const root = mkdtempSync(join(tmpdir(), "before-"));
  mkdirSync(join(root, ROOT), { recursive: true });
  const sealed = readdirSync(ROOT).find((migration) => migration.endsWith("_sealed_log")) ?? "";
  for (const migration of readdirSync(ROOT).filter((each) => each < sealed))
    cpSync(join(ROOT, migration), join(root, ROOT, migration), { recursive: true });
  return root;
}

beforeAll(async () => {
  const admin = new Client({ connectionString: server.url });
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  await deployMigrations(url, before());
  client = new Client({ connectionString: url });
  await client.connect();
  for (const [id, at] of [
    ["call_old", "2025-02-03T04:05:06.789Z"],
    ["call_new", new Date().toISOString()],
    ["call_odd", "infinity"],
  ]) {
    await client.query(
      `insert into execution ("callId", instance, "requestId", at, door, issuer, subject, "claimsDigest", asked, revision, request)
       values ($1, 'i', 'r', $2, 'rest', 'x', 's', 'd', 'a', 1, '{}')`,
      [id, at],
    );
    await client.query(
      `insert into execution_outcome ("callId", at, status, attempts, empty) values ($1, now(), 'failed', 1, true)`,
      [id],
    );
    await client.query(`insert into execution_body ("callId", part, text, digest) values ($1, 'arguments', '1', 'd')`, [
      id,
    ]);
  }
  written = (await client.query(`select "callId", xmin::text as xid from execution order by "callId"`)).rows;
  await deployMigrations(url);
});
afterAll(async () => {
  await client.end();
  await dropDatabase(server.url, name);
});

describe("a log from before seals existed", () => {
  it("keeps every row, in the table of its call's month", async () => {
    const { rows } = await client.query(
      `select e."callId", e.tableoid::regclass::text as month, o."callAt" = e.at as outcome, b."callAt" = e.at as body
       from execution e join execution_outcome o using ("callId") join execution_body b using ("callId") order by 1`,
    );
    const present = new Date().toISOString().slice(0, 7).replace("-", "_");
    expect(rows).toEqual([
      { callId: "call_new", month: `execution_${present}`, outcome: true, body: true },
      { callId: "call_odd", month: "execution_other", outcome: true, body: true },
      { callId: "call_old", month: "execution_2025_02", outcome: true, body: true },
    ]);
  });

  it("keeps with each row the transaction that wrote it", async () => {
    const { rows } = await client.query(`select "callId", xid::text from execution order by "callId"`);
    expect(rows).toEqual(written);
  });
});
