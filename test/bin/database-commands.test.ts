import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { migrationNames } from "@/lib/server/migration-names";
import { command, commandHere } from "@/test/support/command";
import { useDatabase } from "@/test/support/database";
import { sibling } from "@/test/support/local-database";

// When the database is not ready, a command prints a sentence that says what to do, never a stack.

vi.setConfig({ testTimeout: 60_000 });
const database = useDatabase();
const folder = mkdtempSync(join(tmpdir(), "quartermaster-commands-"));
const name = `empty_${new URL(database.url).pathname.slice(1)}`;
const empty = { DATABASE_URL: sibling(database.url, name), DATA_DIR: folder };

beforeAll(() => database.query(`create database ${name}`));
afterAll(async () => {
  await database.query(`drop database ${name} with (force)`);
  rmSync(folder, { recursive: true });
});

describe("a command that works on the database", () => {
  it.each([[["verify"]], [["token", "create", "--role", "admin", "--name", "ci"]]])(
    "reports a database without tables: %j",
    async (args) => {
      const { code, out, error } = await commandHere(args, empty);
      const last = migrationNames(process.cwd()).at(-1);
      expect({ code, out }).toEqual({ code: 2, out: "" });
      expect(error).toContain(`${last}. Run \`npm run migrate\``);
      expect(error.trim().split("\n")).toHaveLength(1);
    },
  );

  it("the doctor reports exactly that", async () => {
    const { code, out } = await commandHere(["doctor", "--json"], empty);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject([
      { check: "database", state: "ok" },
      { check: "migrations", state: "problem", todo: expect.stringContaining("npm run migrate") },
    ]);
  });

  it("leaves no file of a backup that failed, so that the next is not refused", async () => {
    const file = join(folder, "backup.sql.gz");
    // No order in which they could be restored.
    await database.query("create table hen (id int primary key); create table egg (id int primary key references hen)");
    await database.query("alter table hen add constraint hatched foreign key (id) references egg");
    const { code } = await commandHere(["backup", file], { DATA_DIR: folder });
    await database.query("drop table hen, egg");
    expect(code).toBe(2);
    expect(existsSync(file)).toBe(false);
    expect(await commandHere(["backup", file], { DATA_DIR: folder })).toMatchObject({ code: 0 });
  });

  it("says what to check when the database is unreachable", async () => {
    const url = new URL(database.url);
    url.port = "1";
    const { code, error } = await commandHere(["verify"], { ...empty, DATABASE_URL: url.href });
    expect(code).toBe(2);
    expect(error).toMatch(/does not respond: .*ECONNREFUSED.* Check DATABASE_URL/);
  });

  it("names the missing variables and their format", async () => {
    const { code, error } = await command(["doctor"], { DATABASE_URL: "localhost/quartermaster", DATA_DIR: folder });
    expect(code).toBe(2);
    expect(error).toContain("DATABASE_URL: must be a postgres:// URL");
  });
});
