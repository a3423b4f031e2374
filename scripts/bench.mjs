import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, transform } from "esbuild";
import { bundling } from "../bin/boot/build.mjs";
import { run } from "../bin/boot/run.mjs";
import { GATEWAY_FLAGS } from "../bin/boot/supervise.mjs";

// npm run bench: runs every script of bench/ (or only those named: npm run bench -- resolve), one after the other.

const root = fileURLToPath(new URL("..", import.meta.url));
const wanted = process.argv.slice(2);
const names = readdirSync(join(root, "bench")).flatMap((file) => (file.endsWith(".ts") ? [file.slice(0, -3)] : []));
const unknown = wanted.find((name) => !names.includes(name));
if (unknown !== undefined) {
  console.error(`There is no bench "${unknown}". There are: ${names.join(", ")}.`);
  process.exit(1);
}

/** In a bundle, too, a module of ours finds the files beside its source. @type {import("esbuild").Plugin} */
const ownPaths = {
  name: "own-paths",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.(ts|mjs)$/ }, async ({ path }) => {
      const own = { "import.meta.dirname": dirname(path), "import.meta.url": pathToFileURL(path).href };
      const define = Object.fromEntries(Object.entries(own).map(([name, value]) => [name, JSON.stringify(value)]));
      const loader = extname(path) === ".ts" ? "ts" : "js";
      const { code } = await transform(await readFile(path, "utf8"), { loader, define, sourcemap: "inline" });
      return { contents: code, loader: "js" };
    }),
};

// Bundled as the programs are. A TypeScript loader would wrap our functions to keep their names, and those of packages not.
const scripts = names.filter((name) => wanted.length === 0 || wanted.includes(name)).toSorted();
const folder = ".data/bench";
const options = { ...bundling(root, folder), packages: /** @type {const} */ ("external"), metafile: false };
/** Programs that a bench starts as processes of their own. @type {Readonly<Record<string, readonly string[]>>} */
const PROGRAMS = { audit: ["support/log-task"] };
const programs = scripts.flatMap((name) => [name, ...(PROGRAMS[name] ?? [])]);
await build({ ...options, entryPoints: programs.map((name) => `bench/${name}.ts`), plugins: [ownPaths] });

/** Benches that run the gateway's calls in their own process, and so need its memory. */
const AS_GATEWAY = ["call-limit", "logged", "observe"];
// Without the first flag Cedar's WebAssembly sometimes crashes Node 20.
const flags = ["--no-turbo-inline-js-wasm-calls", "--expose-gc"];
for (const script of scripts) {
  console.log(`\n${script}`);
  const own = AS_GATEWAY.includes(script) ? GATEWAY_FLAGS : [];
  await run(process.execPath, [...flags, ...own, join(root, folder, `${script}.mjs`)], { cwd: root, live: true }).catch(
    (error) => {
      console.error(error.message);
      process.exitCode = 1;
    },
  );
}
