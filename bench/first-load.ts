import { report } from "@/bench/support/measure";
import { buildPrograms, buildApp, generate } from "@/bin/boot/build.mjs";
import { startOwnServer } from "@/e2e/support/own-server";
import { FIRST_LOAD, firstLoadOf } from "@/e2e/support/weight";

// Measures what the browser loads of each page before it is usable, after gzip, against the budget (docs/reference/interface.md#budgets).

const root = process.cwd();
await generate(root);
await buildPrograms(root);
await buildApp(root);
const server = await startOwnServer([]);
try {
  Object.assign(process.env, server.env);
  // Imported after the environment is set.
  const { NAVIGATION } = await import("@/components/shell/navigation");
  const { closeDatabase } = await import("@/lib/store/db/database");
  const { signIn } = await import("@/test/support/person");
  const headers = await signIn("admin");
  await closeDatabase();
  for (const { href } of NAVIGATION.flatMap(({ entries }) => entries)) {
    const page = await fetch(server.baseUrl + href, { headers });
    if (!page.ok) throw new Error(`${href}: ${page.status}`);
    report(`first load of ${href}`, firstLoadOf(await page.text()) / 1024, { atMost: FIRST_LOAD / 1024 }, " KB");
  }
} finally {
  await server.stop();
}
