import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig, type UserWorkspaceConfig } from "vitest/config";

const root = fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "");

const resolve = {
  alias: {
    "@": root,
    // The package throws outside a bundler; test/architecture.test.ts checks what it protects.
    "server-only": `${root}/test/support/vitest/server-only.ts`,
  },
};

/** Tests that measure seconds over several processes or a thousand streams: another test beside them would distort that. */
const ALONE = ["test/api/{instances/*,agents/tool-stream}.test.ts", "test/endurance/*.test.ts"];

/** Tests of pure code: they share a process and its modules, and need neither PostgreSQL nor built programs. */
const PURE = ["test/{access,jws,manifest,web}/**/*.test.ts"];

/** Property tests with thousands of generated worlds: too slow for `npm run check`. */
const PROPERTIES = ["test/{access,manifest}/**/*.properties.test.ts"];

const common = {
  setupFiles: ["test/support/vitest/environment.ts"],
  pool: "forks" as const,
  testTimeout: 20_000,
  hookTimeout: 60_000,
  unstubEnvs: true,
  // CI repeats a failed test once; `npm test` names each test that passed only then.
  retry: process.env["CI"] === undefined ? 0 : 1,
} satisfies UserWorkspaceConfig["test"];

/** One more process than cores: a file often waits for a time limit, the database or a process that it started. */
const beside = { maxWorkers: availableParallelism() + 1, sequence: { groupOrder: 0 } };

export default defineConfig({
  resolve,
  test: {
    // Keeps transformed modules below node_modules: a quarter less time for the next run of one file.
    experimental: { fsModuleCache: true },
    globalSetup: ["test/support/vitest/postgres.ts", "test/support/vitest/programs.ts"],
    projects: [
      {
        resolve,
        test: {
          ...common,
          name: "tests",
          include: ["test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...ALONE, ...PURE],
          // A process for each file would load all packages 200 times. Our own modules are still loaded anew for each file.
          isolate: false,
          setupFiles: ["test/support/vitest/own-modules.ts"],
          // The package keeps state in its module, so it is loaded for each file.
          server: { deps: { inline: ["@prisma/schema-engine-wasm"] } },
          ...beside,
        },
      },
      {
        resolve,
        test: {
          ...common,
          name: "pure",
          include: PURE,
          exclude: [...configDefaults.exclude, ...PROPERTIES],
          isolate: false,
          ...beside,
        },
      },
      { resolve, test: { ...common, name: "properties", include: PROPERTIES, isolate: false, ...beside } },
      {
        resolve,
        test: { ...common, name: "alone", include: ALONE, maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
