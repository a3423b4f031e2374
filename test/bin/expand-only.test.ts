import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { migrationNames } from "@/lib/server/migration-names";

// Expand first, contract in a later release (docs/reference/promises.md#migrations): what an older app reads and writes stays as it is.

/** What takes something away from an older app; each statement is looked at without comments and bodies of functions. */
const CONTRACTS: Readonly<Record<string, RegExp>> = {
  "drops a table": /^DROP TABLE\b/i,
  "drops a column": /\bDROP COLUMN\b/i,
  "drops a default": /\bALTER COLUMN\b.*\bDROP DEFAULT\b/i,
  renames: /\bRENAME\b/i,
  "changes a type": /\bALTER COLUMN\b.*\b(SET DATA )?TYPE\b/i,
  "requires a value": /\bALTER COLUMN\b.*\bSET NOT NULL\b/i,
  "adds a column that must be stated": /\bADD COLUMN\b(?![^,]*\b(?:DEFAULT|SERIAL|BIGSERIAL)\b)[^,]*\bNOT NULL\b/i,
  "adds a check": /\bADD CONSTRAINT\b.*\bCHECK\b/i,
  "drops a function": /^DROP FUNCTION\b/i,
};

/** Those that do so all the same, with the reason why no older app minds. */
const REASONED: Readonly<Record<string, string>> = {
  "20261129162000_drop_erase_log_bodies drops a function": "only tests called it, in every version",
};

/** The statements of a migration, without comments and without what functions say. */
function statementsOf(sql: string): string[] {
  return sql
    .replaceAll(/\$\$[^]*?\$\$/g, "''")
    .replaceAll(/--.*$/gm, "")
    .split(";")
    .map((statement) => statement.replaceAll(/\s+/g, " ").trim())
    .filter((statement) => statement !== "");
}

function contractsOf(sql: string): string[] {
  const made = new Set([...sql.matchAll(/CREATE TABLE "?(\w+)"?/gi)].map(([, table = ""]) => table));
  const found = statementsOf(sql).flatMap((statement) => {
    // A table of this very migration is nobody's yet.
    const table = /^ALTER TABLE (?:ONLY )?"?(\w+)"?/i.exec(statement)?.[1];
    if (table !== undefined && made.has(table) && !/\bRENAME\b/i.test(statement)) return [];
    return Object.keys(CONTRACTS).filter((what) => CONTRACTS[what]?.test(statement));
  });
  return [...new Set(found)];
}

test("every migration after the baseline only adds, except for what REASONED explains", () => {
  const found = migrationNames(process.cwd())
    .slice(1)
    .flatMap((name) =>
      contractsOf(readFileSync(`prisma/migrations/${name}/migration.sql`, "utf8")).map((what) => `${name} ${what}`),
    );
  expect(found.toSorted()).toEqual(Object.keys(REASONED).toSorted());
});

test.each([
  ["drops a table", 'DROP TABLE "tool";'],
  ["drops a column", 'ALTER TABLE "tool" ADD COLUMN "a" TEXT,\n DROP COLUMN "name";'],
  ["drops a default", 'ALTER TABLE "tool" ALTER COLUMN "name" DROP DEFAULT;'],
  ["renames", 'ALTER TABLE "tool" RENAME COLUMN "name" TO "title";'],
  ["changes a type", 'ALTER TABLE "tool" ALTER COLUMN "name" SET DATA TYPE JSONB;'],
  ["requires a value", 'ALTER TABLE "tool" ALTER COLUMN "name" SET NOT NULL;'],
  [
    "adds a column that must be stated",
    'ALTER TABLE "tool" ADD COLUMN "a" TEXT DEFAULT \'\', ADD COLUMN "b" TEXT NOT NULL;',
  ],
  ["adds a check", 'ALTER TABLE "tool" ADD CONSTRAINT "short" CHECK (length("name") < 9);'],
  ["drops a function", "DROP FUNCTION take_limits(jsonb, text, timestamptz);"],
])("a migration that %s is seen", (what, sql) => {
  expect(contractsOf(sql)).toEqual([what]);
});

test.each([
  ['ALTER TABLE "tool" ADD COLUMN "a" TEXT;'],
  ['ALTER TABLE "tool" ADD COLUMN "a" INTEGER NOT NULL DEFAULT 0;'],
  ['CREATE TABLE "new" ("a" TEXT NOT NULL); ALTER TABLE "new" ADD CONSTRAINT "c" CHECK ("a" <> \'\');'],
  ["CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN DROP TABLE spent; END $$;"],
  ['DROP INDEX "execution_at_idx"; -- DROP TABLE "tool";'],
])("what adds, or no app sees, is none: %s", (sql) => {
  expect(contractsOf(sql)).toEqual([]);
});
