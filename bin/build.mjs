import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hashInputs, unlessDone } from "./inputs.mjs";
import { run } from "./run.mjs";

/** Everything that the server is built from. */
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

/** Programs, and threads, that run without a TypeScript loader: each becomes dist/<name>.mjs. */
export const PROGRAMS = ["server", "migrate", "setup", "quartermaster", "drill", "job-worker", "schema-worker"];

/** Makes the Prisma client when the schema has changed. @param {string} root */
export function generate(root) {
  return unlessDone(
    join(root, "lib/store/generated/.inputs"),
    hashInputs(root, ["prisma/schema", "prisma.config.ts", "package-lock.json"]),
    () => run(process.execPath, [bin(root, "prisma/build/index.js"), "generate"], { cwd: root }),
  );
}

/** Says from what a start's server was built. @param {string} root */
const built = (root) => join(root, ".next/quartermaster-inputs");

/** Builds the server when its sources have changed. @param {string} root */
export function buildServer(root) {
  return unlessDone(built(root), hashInputs(root, SOURCES), () => buildNext(root));
}

/**
 * The same with Next's part of a package beside it (bin/pack.mjs). What it builds serves a start as well: a run that tests
 * both builds once. @param {string} root
 */
export function buildPackable(root) {
  const inputs = hashInputs(root, SOURCES);
  return unlessDone(join(root, ".next/quartermaster-packable-inputs"), inputs, async () => {
    // Were this to fail, a start must not take what is left for a build.
    rmSync(built(root), { force: true });
    await buildNext(root, { PACK: "on" });
    writeFileSync(built(root), inputs);
  });
}

/** Builds what Next serves, whatever was built before. @param {string} root @param {Record<string, string>} [env] */
function buildNext(root, env = {}) {
  return run(process.execPath, [bin(root, "next/dist/bin/next"), "build"], {
    cwd: root,
    env: { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1", ...env },
  });
}

/** Bundles the command-line programs when their sources have changed. @param {string} root */
export function buildPrograms(root) {
  return unlessDone(
    join(root, "dist/quartermaster-inputs"),
    hashInputs(root, ["bin", "lib", "prisma", "package-lock.json", "tsconfig.json"]),
    async () => {
      const { build, stop } = await import("esbuild");
      const { metafile } = await build({
        entryPoints: PROGRAMS.map((name) => `bin/${name}.ts`),
        absWorkingDir: root,
        outdir: "dist",
        outExtension: { ".js": ".mjs" },
        bundle: true,
        splitting: true,
        platform: "node",
        format: "esm",
        target: "node20",
        packages: "external",
        sourcemap: true,
        logLevel: "silent",
        tsconfig: "tsconfig.json",
        metafile: true,
      });
      keepOnly(root, metafile.outputs);
      // Its helper process would stay as long as this one.
      await stop();
    },
  );
}

/** Removes what earlier builds left in dist: their chunks have other names. @param {string} root @param {object} outputs by path */
function keepOnly(root, outputs) {
  for (const name of readdirSync(join(root, "dist")))
    if (!(`dist/${name}` in outputs)) rmSync(join(root, "dist", name), { recursive: true, force: true });
}

/** @param {string} root @param {string} path */
function bin(root, path) {
  return join(root, "node_modules", path);
}
