import { isInRange, parseAddress, parseRange } from "@/lib/access/model/addresses";
import { anyText } from "@/lib/access/matching/claim-tests";
import { OPERATORS, type OperatorName } from "@/lib/access/model/matcher";
import { compileGlob } from "@/lib/access/matching/globs";
import type { FindingConstraint, OperatorSpec } from "@/lib/access/matching/operator-spec";
import { compileOrder, compileVersionOrder, compileWithin } from "@/lib/access/model/orders";
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
  equals: {
    menu: "common",
    label: "equals",
    sentence: "equals",
    value: "scalar",
    negative: false,
    constraint: ANY_OF,
    compile: equals,
  },
  not_equals: {
    menu: "common",
    label: "does not equal",
    sentence: "does not equal",
    value: "scalar",
    negative: true,
    constraint: NONE_OF,
    compile: not(equals),
  },
  in: {
    menu: "common",
    label: "is one of",
    sentence: "is one of",
    value: "list",
    negative: false,
    constraint: ANY_OF,
    compile: isIn,
  },
  not_in: {
    menu: "common",
    label: "is none of",
    sentence: "is none of",
    value: "list",
    negative: true,
    constraint: NONE_OF,
    compile: not(isIn),
  },
  contains: {
    menu: "common",
    label: "contains",
    sentence: "contains",
    value: "scalar",
    negative: false,
    constraint: ANY_OF,
    compile: equals,
  },
  not_contains: {
    menu: "common",
    label: "does not contain",
    sentence: "does not contain",
    value: "scalar",
    negative: true,
    constraint: NONE_OF,
    compile: not(equals),
  },
  contains_any: {
    menu: "lists",
    label: "contains any of",
    sentence: "contains any of",
    value: "list",
    negative: false,
    constraint: ANY_OF,
    compile: containsAny,
  },
  contains_all: {
    menu: "lists",
    label: "contains all of",
    sentence: "contains all of",
    value: "list",
    negative: false,
    constraint: ANY_OF,
    compile: containsAll,
  },
  contains_none: {
    menu: "lists",
    label: "contains none of",
    sentence: "contains none of",
    value: "list",
    negative: true,
    constraint: NONE_OF,
    compile: not(containsAny),
  },
  has_scope: {
    menu: "lists",
    label: "has scope",
    sentence: "has scope",
    value: "scalar",
    negative: false,
    constraint: HAS_WORD,
    compile: hasScope,
  },
  lacks_scope: {
    menu: "lists",
    label: "lacks scope",
    sentence: "lacks scope",
    value: "scalar",
    negative: true,
    constraint: LACKS_WORD,
    compile: not(hasScope),
  },
  starts_with: {
    menu: "text",
    label: "starts with",
    sentence: "starts with",
    value: "scalar",
    negative: false,
    constraint: SOME_TEXT,
    compile: onText((wanted) => (text) => text.startsWith(wanted)),
  },
  ends_with: {
    menu: "text",
    label: "ends with",
    sentence: "ends with",
    value: "scalar",
    negative: false,
    constraint: SOME_TEXT,
    compile: onText((wanted) => (text) => text.endsWith(wanted)),
  },
  glob: {
    menu: "text",
    label: "matches glob",
    sentence: "matches",
    value: "glob",
    negative: false,
    constraint: SOME_TEXT,
    compile: onText((wanted) => compileGlob(wanted, false)),
  },
  matches: {
    menu: "text",
    label: "matches pattern",
    sentence: "matches the pattern",
    value: "pattern",
    negative: false,
    constraint: SOME_PATTERN,
    compile: matches,
  },
  gt: {
    menu: "numbers",
    label: "greater than",
    sentence: "is greater than",
    value: "number_or_time",
    negative: false,
    constraint: ORDERED,
    compile: compileOrder((order) => order > 0),
  },
  gte: {
    menu: "numbers",
    label: "at least",
    sentence: "is at least",
    value: "number_or_time",
    negative: false,
    constraint: ORDERED,
    compile: compileOrder((order) => order >= 0),
  },
  lt: {
    menu: "numbers",
    label: "less than",
    sentence: "is less than",
    value: "number_or_time",
    negative: false,
    constraint: ORDERED,
    compile: compileOrder((order) => order < 0),
  },
  lte: {
    menu: "numbers",
    label: "at most",
    sentence: "is at most",
    value: "number_or_time",
    negative: false,
    constraint: ORDERED,
    compile: compileOrder((order) => order <= 0),
  },
  within_last: {
    menu: "numbers",
    label: "within the last",
    sentence: "is within the last",
    value: "duration",
    negative: false,
    constraint: IN_WINDOW,
    compile: compileWithin(-1),
  },
  within_next: {
    menu: "numbers",
    label: "within the next",
    sentence: "is within the next",
    value: "duration",
    negative: false,
    constraint: IN_WINDOW,
    compile: compileWithin(1),
  },
  semver_gte: {
    menu: "other",
    label: "version at least",
    sentence: "is at least version",
    value: "version",
    negative: false,
    constraint: VERSION,
    compile: compileVersionOrder((order) => order >= 0),
  },
  semver_lt: {
    menu: "other",
    label: "version below",
    sentence: "is below version",
    value: "version",
    negative: false,
    constraint: VERSION,
    compile: compileVersionOrder((order) => order < 0),
  },
  cidr: {
    menu: "other",
    label: "address in range",
    sentence: "is an address in",
    value: "cidr",
    negative: false,
    constraint: SOME_ADDRESS,
    compile: cidr,
  },
  exists: {
    menu: "common",
    label: "exists",
    sentence: "exists",
    value: "none",
    negative: false,
    constraint: PRESENT,
    compile: exists,
  },
  not_exists: {
    menu: "common",
    label: "does not exist",
    sentence: "does not exist",
    value: "none",
    negative: true,
    constraint: ABSENT,
    compile: not(exists),
  },
  text_contains: {
    menu: "text",
    label: "text contains",
    sentence: "contains the text",
    value: "scalar",
    negative: false,
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
