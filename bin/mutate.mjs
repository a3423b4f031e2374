import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "./run.mjs";

// npm run mutate [-- operators steps]: breaks the decision core in one place at a time (Stryker) and counts what the
// tests notice. Fails when they notice less than nine in ten, or when one survives where a decision is made and
// test/mutation/equivalent.json does not say why it changes no answer. Hours for all files, minutes for one.

const root = fileURLToPath(new URL("..", import.meta.url));
const LEAST_KILLED = 0.9;

/** Operators, and the order of steps and reasons: nothing may survive here. */
const DECISIVE = [
  "operators operator-spec text-operators claim-tests orders matcher-values scalars times versions addresses globs",
  "steps standing plan hidden tools policies",
]
  .flatMap((names) => names.split(" "))
  .map((name) => `lib/access/${name}.ts`);

/**
 * @typedef {object} Mutant
 * @property {string} status
 * @property {string} [replacement]
 * @property {{ start: { line: number, column: number }, end: { line: number, column: number } }} location
 *
 * @typedef {object} Equivalent A mutant that changes no answer.
 * @property {string} file
 * @property {string} line The line where it begins, without its indentation.
 * @property {string} original
 * @property {string} replacement
 * @property {string} reason
 */

const names = process.argv.slice(2);
const only = names.length === 0 ? [] : ["--mutate", names.map((name) => `lib/access/${name}.ts`).join()];
const stryker = join(root, "node_modules/@stryker-mutator/core/bin/stryker.js");
await run(process.execPath, [stryker, "run", "test/mutation/stryker.config.json", ...only], { cwd: root, live: true });

/** @type {{ files: Record<string, { source: string, mutants: Mutant[] }>, testFiles: Record<string, unknown> }} */
const { files, testFiles } = JSON.parse(readFileSync(join(root, "reports/mutation/mutation.json"), "utf8"));
/** @type {Equivalent[]} */
const equivalents = JSON.parse(readFileSync(join(root, "test/mutation/equivalent.json"), "utf8"));

const found = Object.entries(files).flatMap(([file, { source, mutants }]) =>
  mutants.map((mutant) => ({ file, ...mutant, ...textsOf(source, mutant) })),
);
const killed = found.filter(({ status }) => status === "Killed" || status === "Timeout");
const survived = found.filter(({ status }) => status === "Survived" || status === "NoCoverage");
const explained = survived.filter((mutant) => equivalents.some((one) => isSame(one, mutant)));
const unexplained = survived.filter((mutant) => !explained.includes(mutant));
const share = killed.length / Math.max(killed.length + unexplained.length, 1);

// A file that cannot be loaded is silent: its tests are then missing, and all that they hold survives.
const unloaded = readdirSync(join(root, "test/access"))
  .map((name) => `test/access/${name}`)
  .filter((file) => file.endsWith(".unit.test.ts") && !(file in testFiles));

const complaints = [
  ...unloaded.map((file) => `${file} did not run: does it import what test/mutation/stryker.config.json leaves out?`),
  ...(share < LEAST_KILLED ? [`${(share * 100).toFixed(1)} % killed: at least ${LEAST_KILLED * 100} % must be`] : []),
  ...unexplained
    .filter(({ file }) => DECISIVE.includes(file))
    .map(
      ({ file, location, original, replacement }) =>
        `${file}:${location.start.line} survives: ${original} → ${replacement}`,
    ),
  ...equivalents
    .filter((one) => one.file in files && !survived.some((mutant) => isSame(one, mutant)))
    .map(({ file, line }) => `test/mutation/equivalent.json lists a mutant that no longer survives: ${file}: ${line}`),
];
console.log(
  `${killed.length} killed, ${unexplained.length} survived, ${explained.length} equivalent (${(share * 100).toFixed(1)} %)`,
);
for (const complaint of complaints) console.error(complaint);
if (complaints.length > 0) process.exitCode = 1;

/** @param {string} source @param {Mutant} mutant */
function textsOf(source, { location: { start, end }, replacement = "" }) {
  const lines = source.split("\n").slice(start.line - 1, end.line);
  const line = (lines[0] ?? "").trim();
  const last = lines.length - 1;
  lines[last] = (lines[last] ?? "").slice(0, end.column - 1);
  lines[0] = (lines[0] ?? "").slice(start.column - 1);
  return { line, original: lines.join("\n"), replacement };
}

/** @param {Equivalent} one @param {{ file: string, line: string, original: string, replacement: string }} mutant */
function isSame(one, mutant) {
  return (
    one.file === mutant.file &&
    one.line === mutant.line &&
    one.original === mutant.original &&
    one.replacement === mutant.replacement
  );
}
