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
    globalSetup: ["test/support/postgres.ts"],
    setupFiles: ["test/support/environment.ts"],
    pool: "forks",
    testTimeout: 20_000,
    hookTimeout: 60_000,
    unstubEnvs: true,
  },
});
