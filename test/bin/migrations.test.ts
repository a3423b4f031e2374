import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { Client } from "pg";
import { currentSchema, deployMigrations, previousSchema, writeMigration } from "@/bin/migrations";
import { sibling } from "@/test/support/local-database";

const server = inject("postgres");
const name = `migrations_${process.pid}_${randomBytes(3).toString("hex")}`;
const url = sibling(server.url, name);
const admin = new Client({ connectionString: server.url });
const root = mkdtempSync(join(tmpdir(), "migrations-"));

beforeAll(async () => {
  await admin.connect();
  await admin.query(`create database "${name}"`);
  mkdirSync(join(root, "prisma/migrations"), { recursive: true });
  mkdirSync(join(root, "prisma/schema"));
  cpSync("prisma/schema/main.prisma", join(root, "prisma/schema/main.prisma"));
  writeFileSync(join(root, "prisma/schema/thing.prisma"), "model Thing {\n  id Int @id\n}\n");
});
afterAll(async () => {
  await admin.query(`drop database "${name}" with (force)`);
  await admin.end();
  rmSync(root, { recursive: true });
});

describe("migrations", () => {
  it("lead to exactly the schema in prisma/schema", () => {
    expect(previousSchema()).toBe(currentSchema());
  });

  it("carry functions and triggers whole, and deploying twice or at once applies each once", async () => {
    const dir = await writeMigration(url, "first", root, new Date("2026-01-01T00:00:00Z"));
    appendFileSync(
      join(dir!, "migration.sql"),
      `create function f() returns trigger language plpgsql as $$ begin perform 1; return new; end; $$;
       create trigger t before insert on "Thing" for each row execute function f();`,
    );
    const both = await Promise.all([deployMigrations(url, root), deployMigrations(url, root)]);
    expect(both.flat()).toEqual(["20260101000000_first"]);
    expect(await deployMigrations(url, root)).toEqual([]);
  });

  it("that are all applied need no engine: a deploy does not wait for another engine's lock", async () => {
    // The advisory lock of Prisma's engine. Held in the same database, it would keep a second engine waiting until it fails.
    const other = new Client({ connectionString: url });
    await other.connect();
    try {
      await other.query("select pg_advisory_lock(72707369)");
      expect(await deployMigrations(url, root)).toEqual([]);
    } finally {
      await other.end();
    }
  });

  it("are written only when the schema changed", async () => {
    expect(await writeMigration(url, "again", root)).toBeNull();
    await expect(writeMigration(url, "Not Good", root)).rejects.toThrow(/use lower case/);
  });

  it("that fail are rolled back with their reason, and applied once mended", async () => {
    appendFileSync(join(root, "prisma/schema/thing.prisma"), "model Other {\n  id Int @id\n}\n");
    const dir = await writeMigration(url, "second", root, new Date("2026-01-02T00:00:00Z"));
    const good = 'create table "Other" (id int primary key);';
    writeFileSync(join(dir!, "migration.sql"), `${good}\nselect nonsense;`);
    await expect(deployMigrations(url, root)).rejects.toThrow(
      'Migration 20260102000000_second failed and was undone: column "nonsense" does not exist',
    );
    writeFileSync(join(dir!, "migration.sql"), good);
    expect(await deployMigrations(url, root)).toEqual(["20260102000000_second"]);
  });

  it.each([
    ["mysql://127.0.0.1/quartermaster", /its URL must begin with postgres:\/\//],
    ["postgres://127.0.0.1:1/quartermaster", /ECONNREFUSED/],
    ["postgres://127.0.0.1:1/quartermaster?sslmode=verify-full&sslrootcert=/nowhere.crt", /ENOENT.*nowhere\.crt/],
  ])("of %s say why there is no connection, and what to check", async (wrong, why) => {
    const message = await deployMigrations(wrong).catch((error: Error) => error.message);
    expect(message).toMatch(why);
    expect(message).toMatch(/^The database does not respond: .* Check DATABASE_URL/);
  });
});
