import { openIdSettings } from "@/lib/auth/openid/settings";
import { messageOf } from "@/lib/errors";
import { closeDatabase } from "@/lib/store/db/database";
import { closeSnapshot } from "@/lib/store/snapshot/snapshot";
import { requireTables } from "@/bin/commands/require-tables";
import { setUp } from "@/bin/first-start";

// node dist/setup.mjs [--json] [--empty]: prepares a migrated database for use. Runs at every start and leaves existing
// data as it is. With --json the last line lists what it created, with secrets, once.

async function main(args: readonly string[]): Promise<void> {
  const unknown = args.find((arg) => arg !== "--json" && arg !== "--empty");
  if (unknown !== undefined) throw new Error(`Unknown option ${unknown}. Use --json or --empty.`);
  await requireTables();
  // A wrong setting stops the start, instead of the first sign-in.
  openIdSettings();
  const made = await setUp({ demo: !args.includes("--empty"), adminEmail: process.env["ADMIN_EMAIL"] });
  if (args.includes("--json")) console.log(JSON.stringify(made));
  else for (const [name, value] of Object.entries(made)) console.log(`${name}: ${value}`);
  // The first start may have been killed before it printed the password.
  if (made.adminPassword === undefined && made.usesOpenId !== true)
    console.error(
      `The first start printed the password of ${made.adminEmail}. To set a new one: npx quartermaster user password ${made.adminEmail} (in the image: node quartermaster.js user password …).`,
    );
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
} finally {
  closeSnapshot();
  await closeDatabase();
}
