import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "../bin/boot/run.mjs";

// npm run mutate [-- matching/operators explain/steps]: mutation test of the decision core with Stryker. Fails when the
// tests kill fewer than nine of ten mutants, or when one survives in a decisive file and
// test/mutation/equivalent.json does not say why it changes no answer. Takes hours for all files, minutes for one.
const root = fileURLToPath(new URL("..", import.meta.url));
const LEAST_KILLED = 0.9;

/** Decisive files: operators, and the order of steps and reasons. No mutant may survive in them. */
const DECISIVE = [
  "matching/operators matching/operator-spec matching/text-operators matching/claim-tests matching/matcher-values",
  "matching/globs matching/orders model/scalars model/times model/versions model/addresses model/tools",
  "explain/steps explain/hidden compile/group-sets compile/policies decide/plan",
]
  .flatMap((names) => names.split(" "))
  .map((name) => `lib/access/${name}.ts`);

/**
 * @typedef {object} Mutant
 * @property {string} status
 * @property {string} [replacement]
 * @property {{ start: { line: number, column: number }, end: { line: number, column: number } }} location
 *
 * @typedef {object} Equivalent Mutants of a file that change no answer, for one reason.
 * @property {string} file
 * @property {string} reason
 * @property {Record<string, string[]>} mutants "original → replacement" by the first line, in the format
 * printed below. Each entry explains one surviving mutant; a text that two share is listed twice.
 */

const words = process.argv.slice(2);
// Options of Stryker. With --incremental, earlier results are kept while code and test names stay the same.
const options = words.filter((word) => word.startsWith("--"));
const selected = words.filter((word) => !word.startsWith("--")).map((name) => `lib/access/${name}.ts`);
const only = selected.length === 0 ? [] : ["--mutate", selected.join()];
const stryker = join(root, "node_modules/@stryker-mutator/core/bin/stryker.js");
await run(process.execPath, [stryker, "run", "test/mutation/stryker.config.json", ...options, ...only], {
  cwd: root,
  live: true,
});

/** @type {{ files: Record<string, { source: string, mutants: Mutant[] }> }} */
const report = JSON.parse(readFileSync(join(root, "reports/mutation/mutation.json"), "utf8"));
// The report also keeps old results of other files.
const files = Object.entries(report.files).filter(([file]) => selected.length === 0 || selected.includes(file));
/** @type {Equivalent[]} */
const equivalents = JSON.parse(readFileSync(join(root, "test/mutation/equivalent.json"), "utf8"));

const found = files.flatMap(([file, { source, mutants }]) =>
  mutants.map((mutant) => ({
    file,
    status: mutant.status,
    at: mutant.location.start.line,
    ...textsOf(source, mutant),
  })),
);
const survived = found.filter(({ status }) => status === "Survived" || status === "NoCoverage");
const listed = equivalents
  .filter(({ file }) => files.some(([name]) => name === file))
  .flatMap(({ file, mutants }) =>
    Object.entries(mutants).flatMap(([line, texts]) => texts.map((text) => keyOf({ file, line, text }))),
  );
const unexplained = survived.filter((mutant) => !takeListed(mutant));
// A timeout on a busy machine does not prove that a test noticed the mutant.
const late = found.filter(({ status }) => status === "Timeout");
const endless = late.filter((mutant) => !takeListed(mutant));
const killed = [...found.filter(({ status }) => status === "Killed"), ...endless];
const explained = survived.length - unexplained.length + late.length - endless.length;
const share = killed.length / Math.max(killed.length + unexplained.length, 1);

const complaints = [
  ...(share < LEAST_KILLED ? [`${(share * 100).toFixed(1)} % killed: at least ${LEAST_KILLED * 100} % must be`] : []),
  ...unexplained
    .filter(({ file }) => DECISIVE.includes(file))
    .map(({ file, at, line, text }) => `${file}:${at} survives: ${text}, in: ${line}`),
  ...listed.map((key) => `test/mutation/equivalent.json lists a mutant that does not survive: ${key}`),
];
console.log(
  `${killed.length} killed, ${unexplained.length} survived, ${explained} equivalent (${(share * 100).toFixed(1)} %)`,
);
for (const complaint of complaints) console.error(complaint);
if (complaints.length > 0) process.exitCode = 1;

/** Takes a mutant's entry from the list; false without one. Each entry explains one mutant. @param {{ file: string, line: string, text: string }} mutant */
function takeListed(mutant) {
  const place = listed.indexOf(keyOf(mutant));
  return place >= 0 && listed.splice(place, 1).length === 1;
}

/** The mutant's first line, and "original → replacement" on one line each. @param {string} source @param {Mutant} mutant */
function textsOf(source, { location: { start, end }, replacement = "" }) {
  const lines = source.split("\n").slice(start.line - 1, end.line);
  const line = lines[0] ?? "";
  const last = lines.length - 1;
  lines[last] = (lines[last] ?? "").slice(0, end.column - 1);
  lines[0] = (lines[0] ?? "").slice(start.column - 1);
  return { line: line.trim(), text: `${lines.join(" ")} → ${replacement}`.replaceAll(/\s+/g, " ") };
}

/** @param {{ file: string, line: string, text: string }} mutant */
function keyOf({ file, line, text }) {
  return `${file}: ${line}: ${text}`;
}
