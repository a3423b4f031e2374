import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig, type UserWorkspaceConfig } from "vitest/config";

const root = fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "");

const resolve = {
  alias: {
    "@": root,
    // It throws outside a bundler; what it guards is guarded by test/architecture.test.ts.
    "server-only": `${root}/test/support/server-only.ts`,
  },
};

/** Promises in seconds over several processes or a thousand streams: with a busy neighbour they would be the machine's. */
const ALONE = ["test/api/agents/{instances*,tool-stream}.test.ts", "test/endurance/*.test.ts"];

/** Tests of pure code share a process and its modules. They need neither PostgreSQL nor built programs. */
const PURE = ["test/{access,jws,manifest,web}/**/*.test.ts"];

/** Thousands of generated worlds per promise: too slow for `npm run check`. */
const PROPERTIES = ["test/{access,manifest}/**/*.properties.test.ts"];

const common = {
  setupFiles: ["test/support/environment.ts"],
  pool: "forks" as const,
  testTimeout: 20_000,
  hookTimeout: 60_000,
  unstubEnvs: true,
  // CI repeats a failed test once, and `npm test` names each that passed only then.
  retry: process.env["CI"] === undefined ? 0 : 1,
} satisfies UserWorkspaceConfig["test"];

/** One less than the cores would leave half of a small machine idle. */
const beside = { maxWorkers: availableParallelism(), sequence: { groupOrder: 0 } };

export default defineConfig({
  resolve,
  test: {
    globalSetup: ["test/support/postgres.ts", "test/support/programs.ts"],
    projects: [
      {
        resolve,
        test: {
          ...common,
          name: "tests",
          include: ["test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...ALONE, ...PURE],
          // A process for each would load all packages anew, 200 times; modules of ours are each file's own nevertheless.
          isolate: false,
          setupFiles: ["test/support/own-modules.ts"],
          // It keeps what it begins in its module.
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
