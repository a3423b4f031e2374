import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hashInputs, unlessUpToDate } from "./inputs.mjs";
import { run } from "./run.mjs";

/** Sources of the server build: a change of one of them causes a new build. */
const SOURCES = [
  "app",
  "components",
  "lib",
  "public",
  "prisma/schema",
  "package-lock.json",
  "next.config.mjs",
  "postcss.config.mjs",
  "tsconfig.json",
  "proxy.ts",
  "instrumentation.ts",
];

/** Programs that run without a TypeScript loader. */
const COMMANDS = {
  server: "bin/server.ts",
  migrate: "bin/migrate.ts",
  setup: "bin/setup.ts",
  quartermaster: "bin/quartermaster.ts",
  drill: "scripts/drill.ts",
};
/** A thread is started for one job: its packages are bundled, and it loads only the chunks of that job. */
const THREADS = { "job-worker": "bin/job-worker.ts", "schema-worker": "bin/schema-worker.ts" };

/** All programs. Each is bundled into dist/<name>.mjs. */
export const PROGRAMS = { ...COMMANDS, ...THREADS };

/** Defines `require` in a bundle: the packages' CommonJS files call it, and an ES module has none. */
const REQUIRE = 'const require = process.getBuiltinModule("module").createRequire(import.meta.url);';

/** Generates the Prisma client when the schema has changed. @param {string} root */
export function generate(root) {
  return unlessUpToDate(
    join(root, "lib/store/generated/.inputs"),
    hashInputs(root, ["prisma/schema", "prisma.config.ts", "package-lock.json"]),
    () => run(process.execPath, [bin(root, "prisma/build/index.js"), "generate"], { cwd: root }),
  );
}

/** The file with the input hash of the last server build. @param {string} root */
const serverStamp = (root) => join(root, ".next/quartermaster-inputs");

/** Builds the server when its sources have changed. @param {string} root */
export function buildServer(root) {
  return unlessUpToDate(serverStamp(root), hashInputs(root, SOURCES), () => buildNext(root));
}

/**
 * Builds the server with Next's standalone output (scripts/pack.mjs). The server can also start from this build, so a test
 * run that needs both builds once. @param {string} root @param {{ nice?: number }} [options]
 */
export function buildPackable(root, options) {
  const inputs = hashInputs(root, SOURCES);
  return unlessUpToDate(join(root, ".next/quartermaster-packable-inputs"), inputs, async () => {
    // The stamp goes first: after a failed build, a start must not reuse the remains.
    rmSync(serverStamp(root), { force: true });
    await buildNext(root, { PACK: "on" }, options);
    writeFileSync(serverStamp(root), inputs);
  });
}

/** Runs `next build`, whatever was built before. @param {string} root @param {Record<string, string>} [env] @param {{ nice?: number }} [options] */
function buildNext(root, env = {}, options = {}) {
  return run(process.execPath, [bin(root, "next/dist/bin/next"), "build"], {
    cwd: root,
    env: { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1", ...env },
    ...options,
  });
}

/** Bundles the command-line programs when their sources have changed. @param {string} root */
export function buildPrograms(root) {
  return unlessUpToDate(
    join(root, "dist/quartermaster-inputs"),
    hashInputs(root, ["bin", "scripts/drill.ts", "lib", "prisma", "package-lock.json", "tsconfig.json"]),
    () => bundle(root),
  );
}

/** How our programs are bundled. @param {string} root @param {string} outdir */
export function bundling(root, outdir) {
  return /** @type {const} */ ({
    absWorkingDir: root,
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    sourcemap: true,
    logLevel: "silent",
    tsconfig: "tsconfig.json",
    metafile: true,
  });
}

/** @param {string} root */
async function bundle(root) {
  const { build, stop } = await import("esbuild");
  const common = bundling(root, "dist");
  const bundles = await Promise.all([
    build({ ...common, entryPoints: COMMANDS, splitting: true, packages: "external" }),
    build({ ...common, entryPoints: THREADS, splitting: true, banner: { js: REQUIRE } }),
  ]);
  keepOnly(root, Object.assign({}, ...bundles.map(({ metafile }) => metafile.outputs)));
  // Otherwise esbuild's helper process lives as long as this process.
  await stop();
}

/** Removes the outputs of earlier builds from dist: their chunks have other names. @param {string} root @param {object} outputs by path */
function keepOnly(root, outputs) {
  for (const name of readdirSync(join(root, "dist")))
    if (!(`dist/${name}` in outputs)) rmSync(join(root, "dist", name), { recursive: true, force: true });
}

/** @param {string} root @param {string} path */
function bin(root, path) {
  return join(root, "node_modules", path);
}
