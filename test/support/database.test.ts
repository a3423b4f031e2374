import { describe, expect, it } from "vitest";
import { requireLocal } from "@/test/support/local-database";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();

describe("a test file's database", () => {
  it("is its own and migrated", async () => {
    const [row] = await database.query<{ name: string }>("select current_database() as name");
    expect(await database.query("select 1 from _prisma_migrations where finished_at is null")).toEqual([]);
    expect(database.url.endsWith(`/${row!.name}`)).toBe(true);
  });

  it("is never on another machine", () => {
    expect(() => requireLocal("postgres://u:p@db.example.com/x")).toThrow(/local database only/);
  });
});
