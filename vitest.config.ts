import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "");

export default defineConfig({
  resolve: {
    alias: {
      "@": root,
      // It throws outside a bundler; what it guards is guarded by test/architecture.test.ts.
      "server-only": `${root}/test/support/server-only.ts`,
    },
  },
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/postgres.ts", "test/support/programs.ts"],
    setupFiles: ["test/support/environment.ts"],
    pool: "forks",
    // One less than the cores would leave half of a small machine idle.
    maxWorkers: availableParallelism(),
    testTimeout: 20_000,
    hookTimeout: 60_000,
    unstubEnvs: true,
  },
});
