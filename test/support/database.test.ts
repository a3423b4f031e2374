import { describe, expect, it } from "vitest";
import { requireLocal } from "@/test/support/local-database";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();

describe("a test file's database", () => {
  it("is its own, migrated and empty", async () => {
    const [row] = await database.query<{ name: string }>("select current_database() as name");
    expect(database.url.endsWith(`/${row!.name}`)).toBe(true);
    await database.empty();
  });

  it("is never on another machine", () => {
    expect(() => requireLocal("postgres://u:p@db.example.com/x")).toThrow(/local database only/);
  });
});
