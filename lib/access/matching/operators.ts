import { isInRange, parseAddress, parseRange } from "@/lib/access/model/addresses";
import { anyText } from "@/lib/access/matching/claim-tests";
import { OPERATORS, type OperatorName } from "@/lib/access/model/matcher";
import { compileGlob } from "@/lib/access/matching/globs";
import type { FindingConstraint, OperatorSpec } from "@/lib/access/matching/operator-spec";
import { compileOrder, compileVersionOrder, compileWithin } from "@/lib/access/matching/orders";
import {
  containsAll,
  containsAny,
  equals,
  hasScope,
  isIn,
  matches,
  not,
  onText,
  timeIndependent,
} from "@/lib/access/matching/text-operators";

type Compile = OperatorSpec["compile"];

const cidr: Compile = (value) => {
  const range = typeof value === "string" ? parseRange(value) : null;
  if (range === null) return { problem: "give an address range in CIDR notation, such as 10.0.0.0/8" };
  return timeIndependent(
    anyText((text) => {
      const address = parseAddress(text);
      return address === null ? null : isInRange(address, range);
    }),
  );
};

const exists: Compile = () => timeIndependent(() => "match");

const ANY_OF: FindingConstraint = { demand: "some", family: "text", hasFiniteTexts: true, byWord: false };
const NONE_OF: FindingConstraint = { ...ANY_OF, demand: "none" };
const HAS_WORD: FindingConstraint = { ...ANY_OF, byWord: true };
const LACKS_WORD: FindingConstraint = { ...HAS_WORD, demand: "none" };
const SOME_TEXT: FindingConstraint = { ...ANY_OF, hasFiniteTexts: false };
const SOME_PATTERN: FindingConstraint = { ...SOME_TEXT, family: "pattern" };
const SOME_ADDRESS: FindingConstraint = { ...SOME_TEXT, family: "address" };
const ORDERED: FindingConstraint = { ...SOME_TEXT, demand: "one", family: "number_or_time" };
const IN_WINDOW: FindingConstraint = { ...ORDERED, family: "window" };
const VERSION: FindingConstraint = { ...ORDERED, family: "version" };
const PRESENT: FindingConstraint = { ...SOME_TEXT, demand: "present", family: "presence" };
const ABSENT: FindingConstraint = { ...PRESENT, demand: "absent" };

/** Every operator (docs/reference/decision.md#operators). A new operator needs one entry here and its test cases. */
export const operatorTable: Record<OperatorName, OperatorSpec> = {
  equals: { menu: "common", value: "scalar", constraint: ANY_OF, compile: equals },
  not_equals: { menu: "common", value: "scalar", negative: true, constraint: NONE_OF, compile: not(equals) },
  in: { menu: "common", value: "list", constraint: ANY_OF, compile: isIn },
  not_in: { menu: "common", value: "list", negative: true, constraint: NONE_OF, compile: not(isIn) },
  contains: { menu: "common", value: "scalar", constraint: ANY_OF, compile: equals },
  not_contains: { menu: "common", value: "scalar", negative: true, constraint: NONE_OF, compile: not(equals) },
  contains_any: { menu: "lists", value: "list", constraint: ANY_OF, compile: containsAny },
  contains_all: { menu: "lists", value: "list", constraint: ANY_OF, compile: containsAll },
  contains_none: { menu: "lists", value: "list", negative: true, constraint: NONE_OF, compile: not(containsAny) },
  has_scope: { menu: "lists", value: "scalar", constraint: HAS_WORD, compile: hasScope },
  lacks_scope: { menu: "lists", value: "scalar", negative: true, constraint: LACKS_WORD, compile: not(hasScope) },
  starts_with: {
    menu: "text",
    value: "scalar",
    constraint: SOME_TEXT,
    compile: onText((wanted) => (text) => text.startsWith(wanted)),
  },
  ends_with: {
    menu: "text",
    value: "scalar",
    constraint: SOME_TEXT,
    compile: onText((wanted) => (text) => text.endsWith(wanted)),
  },
  glob: { menu: "text", value: "glob", constraint: SOME_TEXT, compile: onText((wanted) => compileGlob(wanted, false)) },
  matches: { menu: "text", value: "pattern", constraint: SOME_PATTERN, compile: matches },
  gt: { menu: "numbers", value: "number_or_time", constraint: ORDERED, compile: compileOrder((order) => order > 0) },
  gte: { menu: "numbers", value: "number_or_time", constraint: ORDERED, compile: compileOrder((order) => order >= 0) },
  lt: { menu: "numbers", value: "number_or_time", constraint: ORDERED, compile: compileOrder((order) => order < 0) },
  lte: { menu: "numbers", value: "number_or_time", constraint: ORDERED, compile: compileOrder((order) => order <= 0) },
  within_last: { menu: "numbers", value: "duration", constraint: IN_WINDOW, compile: compileWithin(-1) },
  within_next: { menu: "numbers", value: "duration", constraint: IN_WINDOW, compile: compileWithin(1) },
  semver_gte: {
    menu: "other",
    value: "version",
    constraint: VERSION,
    compile: compileVersionOrder((order) => order >= 0),
  },
  semver_lt: {
    menu: "other",
    value: "version",
    constraint: VERSION,
    compile: compileVersionOrder((order) => order < 0),
  },
  cidr: { menu: "other", value: "cidr", constraint: SOME_ADDRESS, compile: cidr },
  exists: { menu: "common", value: "none", constraint: PRESENT, compile: exists },
  not_exists: { menu: "common", value: "none", negative: true, constraint: ABSENT, compile: not(exists) },
  text_contains: {
    menu: "text",
    value: "scalar",
    constraint: SOME_TEXT,
    compile: onText((wanted) => (text) => text.includes(wanted)),
  },
};

const operatorNames: ReadonlySet<string> = new Set(OPERATORS);

/** Whether this version knows the operator; a stored row may name another. */
export function isOperator(name: string): name is OperatorName {
  return operatorNames.has(name);
}

/** The end of a message about an unknown operator. */
export const ONE_OF_OPERATORS = `one of ${OPERATORS.map((name) => `\`${name}\``).join(", ")}`;
