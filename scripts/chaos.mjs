import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { endRunning, run } from "../bin/boot/run.mjs";

// npm run chaos: repeats the faults of test/endurance. npm run chaos -- -t "full disk": one of them.

const root = fileURLToPath(new URL("..", import.meta.url));
const vitest = join(root, "node_modules/vitest/vitest.mjs");
const args = [vitest, "run", "--project", "alone", "test/endurance", ...process.argv.slice(2)];

for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, endRunning);

await run(process.execPath, args, { cwd: root, env: { ENDURANCE: "long" }, live: true }).catch(() => {
  // The failure is on the terminal already.
  process.exitCode = 1;
});
