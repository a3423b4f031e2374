import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { endRunning, run } from "./run.mjs";

// npm run chaos: the faults of test/endurance, each again and again. npm run chaos -- -t "full disk": one of them.

const root = fileURLToPath(new URL("..", import.meta.url));
const vitest = join(root, "node_modules/vitest/vitest.mjs");
const args = [vitest, "run", "--project", "alone", "test/endurance", ...process.argv.slice(2)];

for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, endRunning);

await run(process.execPath, args, { cwd: root, env: { ENDURANCE: "long" }, live: true }).catch(() => {
  // What failed is on the terminal already.
  process.exitCode = 1;
});
