import type { TestDatabase } from "@/test/support/database";

/** The tables of a test's database that hold a text anywhere, be it inside JSON. */
export async function findInDatabase(database: TestDatabase, text: string): Promise<string[]> {
  const tables = await database.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await database.query(`select 1 from "${name}" as r where strpos(r::text, $1) > 0 limit 1`, [text]);
    if (rows.length > 0) found.push(name);
  }
  return found;
}
