import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { fileURLToPath } from "node:url";

// npm run fuzz:api [-- REQUESTS [SEED]]: sends valid and invalid requests, generated from our OpenAPI document, to the real
// handlers on a real database. By default 20,000 from a random seed; `npm test` sends 2,000 from a fixed one.

const root = fileURLToPath(new URL("..", import.meta.url));
const [requests = "20000", seed = String(randomInt(2 ** 30))] = process.argv.slice(2);
for (const number of [requests, seed])
  if (!/^\d+$/.test(number)) {
    console.error(`${number} is no number: npm run fuzz:api -- REQUESTS SEED`);
    process.exit(1);
  }

console.log(`${requests} requests from seed ${seed}`);
const { status } = spawnSync(
  process.execPath,
  ["node_modules/vitest/vitest.mjs", "run", "test/hardening/generated-requests.test.ts", "--reporter=dot"],
  { cwd: root, stdio: "inherit", env: { ...process.env, FUZZ_REQUESTS: requests, FUZZ_SEED: seed } },
);
process.exit(status ?? 1);
