import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
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

/** Programs that run as processes, without a TypeScript loader. */
const COMMANDS = {
  server: "bin/server.ts",
  migrate: "bin/migrate.ts",
  setup: "bin/setup.ts",
  quartermaster: "bin/quartermaster.ts",
  drill: "scripts/drill.ts",
};
/** Worker threads. Their packages are bundled, so that a thread starts quickly and loads only the chunks of its job. */
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

/** The file with the input hash of the last build of the app. @param {string} root */
const appStamp = (root) => join(root, ".next/quartermaster-inputs");

/** Builds the app when its sources have changed. @param {string} root */
export function buildApp(root) {
  return unlessUpToDate(appStamp(root), hashInputs(root, SOURCES), () => buildNext(root));
}

/**
 * Builds the app with Next's standalone output (scripts/pack.mjs). `npm start` accepts this build too, so a test run needs
 * only one. @param {string} root @param {{ nice?: number }} [options]
 */
export function buildPackable(root, options) {
  const inputs = hashInputs(root, SOURCES);
  return unlessUpToDate(join(root, ".next/quartermaster-packable-inputs"), inputs, async () => {
    // The stamp goes first: after a failed build, a start must not reuse the remains.
    rmSync(appStamp(root), { force: true });
    await buildNext(root, { PACK: "on" }, options);
    writeFileSync(appStamp(root), inputs);
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

/** Bundles all programs when their sources have changed. @param {string} root */
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
  const outputs = bundles.flatMap(({ metafile }) => Object.keys(metafile.outputs));
  removeFormer(
    join(root, "dist"),
    outputs.map((path) => relative("dist", path)),
  );
  // Otherwise esbuild's helper process lives as long as this process.
  await stop();
}

/** Milliseconds for which outputs stay after the build that replaced them: a gateway that still runs may load their chunks. */
const KEPT_MS = 86_400_000;
/** The file with the names of the last build's outputs, one a line. */
const OUTPUTS = "outputs.txt";

/**
 * Removes the outputs of earlier builds: their chunks have other names. The time since they were replaced counts, not their
 * age, because a gateway may run for months before the next build.
 *
 * @param {string} dist
 * @param {readonly string[]} outputs the names of the present build's outputs
 * @param {number} [now]
 */
export function removeFormer(dist, outputs, now = Date.now()) {
  const record = join(dist, OUTPUTS);
  const names = readdirSync(dist);
  const last = existsSync(record) ? readFileSync(record, "utf8").split("\n") : names;
  for (const name of names.filter((known) => known !== OUTPUTS && !outputs.includes(known))) {
    const path = join(dist, name);
    if (last.includes(name)) utimesSync(path, new Date(now), new Date(now));
    else if (now - statSync(path).mtimeMs > KEPT_MS) rmSync(path, { recursive: true, force: true });
  }
  writeFileSync(record, outputs.join("\n"));
}

/** @param {string} root @param {string} path */
function bin(root, path) {
  return join(root, "node_modules", path);
}
