import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "../bin/boot/run.mjs";

// npm run bench: runs every script of bench/ (or only those named: npm run bench -- resolve), one after the other.

const root = fileURLToPath(new URL("..", import.meta.url));
const wanted = process.argv.slice(2);
const scripts = readdirSync(join(root, "bench")).filter((name) => name.endsWith(".ts"));
const unknown = wanted.find((name) => !scripts.includes(`${name}.ts`));
if (unknown !== undefined) {
  console.error(`There is no bench "${unknown}". There are: ${scripts.map((name) => name.slice(0, -3)).join(", ")}.`);
  process.exit(1);
}

// Without the second flag Cedar's WebAssembly sometimes crashes Node 20.
const flags = ["--import", "tsx", "--no-turbo-inline-js-wasm-calls", "--expose-gc"];
for (const script of scripts.filter((name) => wanted.length === 0 || wanted.includes(name.slice(0, -3))).toSorted()) {
  console.log(`\n${script}`);
  await run(process.execPath, [...flags, join(root, "bench", script)], { cwd: root, live: true }).catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
