import { openIdSettings } from "@/lib/auth/people/openid/settings";
import { closeDatabase } from "@/lib/store/db/database";
import { closeSnapshot } from "@/lib/store/snapshot/snapshot";
import { requireTables } from "@/bin/commands/require-tables";
import { setUp } from "@/bin/first-start";

// node dist/setup.mjs [--json] [--empty]: makes a migrated database usable. Run at every start; what is
// there already is left as it is. With --json the last line is what was made, secrets included, once.

async function main(args: readonly string[]): Promise<void> {
  const unknown = args.find((arg) => arg !== "--json" && arg !== "--empty");
  if (unknown !== undefined) throw new Error(`Unknown option ${unknown}. There are --json and --empty.`);
  await requireTables();
  // A wrong setting stops the start, not the first person who signs in.
  openIdSettings();
  const made = await setUp({ demo: !args.includes("--empty"), adminEmail: process.env["ADMIN_EMAIL"] });
  if (args.includes("--json")) console.log(JSON.stringify(made));
  else for (const [name, value] of Object.entries(made)) console.log(`${name}: ${value}`);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  closeSnapshot();
  await closeDatabase();
}
