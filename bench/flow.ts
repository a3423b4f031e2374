import { compare, cpuMilliseconds, median, report } from "@/bench/support/measure";
import { callersOf, configurationOf, DENSE, STATED } from "@/bench/support/workload";
import { compile } from "@/lib/access/compile/compile";
import { findTrifectaTools, firstIds, smallestRestriction, triangleOf } from "@/lib/access/flow/trifecta";
import { atOnce } from "@/lib/access/model/parts";
import { resolve } from "@/lib/access/decide/resolve";
import type { Configuration } from "@/lib/access/model/configuration";
import type { FlowRule, Restriction } from "@/lib/access/model/flow";
import { requestOf } from "@/lib/access/model/request";

// Measures what flow rules cost (docs/reference/decision.md#flow): a list by callers that hold labels, beside the same list
// without rules, compiling the most rules, and what the trifecta page decides for its most callers.

const NOW = Date.UTC(2026, 0, 1);
const LABELS = 100;
const RULES = 1_000;
const CLASSES = ["outward", "money", "people"];
/** One tool in so many is in a class: with more, the rules would shorten the list and so make it faster. */
const CLASSIFIED_EVERY = 500;

const plain = configurationOf(STATED, 1, DENSE);
const without: Configuration = {
  ...plain,
  tools: plain.tools.map((tool, n) => ({
    ...tool,
    flow: { raises: [], is: n % CLASSIFIED_EVERY === 0 ? CLASSES : [] },
  })),
};
const labels = Array.from({ length: LABELS }, (_, n) => `label-${n}`);

/** A third of the rules restricts a class, a third one tool, a third the tools of a selector. */
function restriction(n: number): Restriction {
  const none = { is: null, tool: null, selector: null };
  if (n % 3 === 0) return { ...none, is: CLASSES[(n / 3) % CLASSES.length] ?? "" };
  if (n % 3 === 1) return { ...none, tool: without.tools[n]?.id ?? "" };
  return { ...none, selector: without.groups[n % without.groups.length]?.selectors[0] ?? null };
}

function rule(n: number): FlowRule {
  return {
    name: `rule-${n}`,
    description: "",
    active: true,
    mode: "enforce",
    when: [labels[n % LABELS] ?? "", labels[(n + 1) % LABELS] ?? ""],
    restrict: [restriction(n)],
    effect: "hide",
  };
}

function withRules(count: number): Configuration {
  return { ...without, flows: Array.from({ length: count }, (_, n) => rule(n)) };
}

const base = compile(without);
const compiled = cpuMilliseconds(() => compile(withRules(RULES), base));
report(
  `compiling ${RULES} rules over ${LABELS} labels: seconds of CPU`,
  compiled.milliseconds / 1000,
  { atMost: 1 },
  " s",
);

const requests = callersOf(50, 2, DENSE).map((claims) => requestOf(claims));
const unlabelled = (n: number) => requests[n % requests.length] ?? requestOf({});
const labelled = requests.map((request) => ({ ...request, labels: labels.slice(0, 2) }));
const holding = (n: number) => labelled[n % labelled.length] ?? requestOf({});

for (const [what, index] of [
  ["3 rules", compile(withRules(3), base)],
  [`${RULES} rules`, compiled.made],
] as const) {
  // Ratios of neighbouring rounds, so that other load on the machine affects both alike.
  const ratios = Array.from({ length: 25 }, () => {
    const times = compare(
      {
        without: { calls: 200, work: (n) => resolve(base, unlabelled(n), NOW) },
        with: { calls: 200, work: (n) => resolve(index, holding(n), NOW) },
      },
      5,
    );
    return times.with / times.without;
  });
  report(`list by callers with labels, ${what} / without rules`, median(ratios), { atMost: 1.05 });
}

// Every tool has a guess for all corners, as after an import without annotations, and 7 classes share them.
const guesses = [
  { kind: "raises", word: "private", from: "method GET" },
  { kind: "raises", word: "untrusted", from: "method GET" },
  { kind: "is", word: "outward", from: "method GET" },
] as const;
const [WATCHED, NAMED] = [400, 20];
const held = ["private", "untrusted"].map((name) => ({
  name,
  description: "",
  scope: "caller" as const,
  holdMinutes: 1_440,
}));
const guessed = compile({
  ...plain,
  labels: held,
  flows: [{ ...rule(0), when: ["private"], restrict: [{ is: "class-0", tool: null, selector: null }] }],
  tools: plain.tools.map((tool, n) => ({ ...tool, flow: { raises: [], is: [`class-${n % 7}`] }, flowGuess: guesses })),
});
const watched = callersOf(WATCHED, 3, DENSE).map((claims) => requestOf(claims));
const page = cpuMilliseconds(() => {
  const of = atOnce(findTrifectaTools(guessed));
  return watched.map((request) => {
    const triangle = triangleOf(guessed, request, of, NOW);
    const corners = [triangle.private, triangle.untrusted, triangle.outward, triangle.open];
    return {
      named: corners.map((numbers) => firstIds(guessed, of, numbers, NAMED)),
      smallest: smallestRestriction(guessed, of, triangle.open),
    };
  });
});
report(
  `trifecta of ${WATCHED} callers, ${STATED.policies} policies, ${STATED.tools} tools: seconds of CPU`,
  page.milliseconds / 1000,
  { atMost: 1 },
  " s",
);
