import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

/** What npm run mutate runs for every mutant of the core: all that holds it and needs no database, in seconds. */
export default defineConfig({
  root,
  resolve: { alias: { "@": root } },
  test: {
    globalSetup: ["test/mutation/expected.ts"],
    include: [
      "test/access/findings.test.ts",
      "test/access/refusals.test.ts",
      "test/access/profile-snapshot.test.ts",
      "test/access/*.unit.test.ts",
      "test/mutation/agreement.ts",
    ],
    // One start for all files: a mutant's run is mostly starting.
    isolate: false,
    fileParallelism: false,
  },
});
