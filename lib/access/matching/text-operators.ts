import {
  anyText,
  anyWord,
  everyText,
  opposite,
  type ClaimTest,
  type TextTest,
} from "@/lib/access/matching/claim-tests";
import { filledListValue, listValue, textValue } from "@/lib/access/matching/matcher-values";
import type { Compiled, OperatorSpec } from "@/lib/access/matching/operator-spec";
import type { Json } from "@/lib/access/model/configuration";
import { isList } from "@/lib/access/model/json";
import { isProblem } from "@/lib/access/model/problem";
import { compileRegularExpression } from "@/lib/access/matching/regular-expressions";
import { foldCase, isScalar, scalarText } from "@/lib/access/model/scalars";

/** The longest pattern of `matches`. */
const MAX_PATTERN_LENGTH = 256;
/** The most instructions of a new pattern: within `MAX_STEPS` it reads 512 characters. Stored patterns may have more. */
const MAX_SAVED_INSTRUCTIONS = 4096;
/** The longest text that `matches` reads; longer text is uncomparable. */
const MAX_INPUT_LENGTH = 4096;
/** Bounds the pattern's instructions × the claim's characters: about 100 ms. A longer claim is uncomparable. */
const MAX_STEPS = MAX_SAVED_INSTRUCTIONS * 512;

type Compile = OperatorSpec["compile"];

/** Wraps a test whose answer does not depend on time. */
export const timeIndependent = (test: ClaimTest, keys: Compiled["keys"] = null): Compiled => ({
  test,
  keys,
  nextChange: null,
});

/** The negative counterpart of an operator: same value, opposite answer, no index keys. */
export function not(compile: Compile): Compile {
  return (value, ignoreCase) => {
    const positive = compile(value, ignoreCase);
    return isProblem(positive) ? positive : timeIndependent(opposite(positive.test));
  };
}

/** `equals` and `contains`: a text claim is a list of one element, never searched for a substring. */
export const equals: Compile = (value, ignoreCase) => {
  const text = textValue(value);
  if (isProblem(text)) return text;
  const wanted = foldCase(text.text, ignoreCase);
  return timeIndependent(
    anyText((actual) => foldCase(actual, ignoreCase) === wanted),
    ignoreCase ? null : { kind: "element", texts: [wanted] },
  );
};

const anyOf =
  (read: typeof listValue): Compile =>
  (value, ignoreCase) => {
    const items = read(value);
    if (isProblem(items)) return items;
    const wanted = new Set(items.map((item) => foldCase(item, ignoreCase)));
    return timeIndependent(
      anyText((actual) => wanted.has(foldCase(actual, ignoreCase))),
      ignoreCase ? null : { kind: "element", texts: [...wanted] },
    );
  };

/** `in`: one of the values. */
export const isIn = anyOf(listValue);
/** `contains_any`: at least one of the values. */
export const containsAny = anyOf(filledListValue);

/** `contains_all`: every one of the values. */
export const containsAll: Compile = (value, ignoreCase) => {
  const items = filledListValue(value);
  if (isProblem(items)) return items;
  const wanted = new Set(items.map((item) => foldCase(item, ignoreCase)));
  const [one = ""] = wanted;
  return timeIndependent(
    everyText(wanted, (text) => foldCase(text, ignoreCase)),
    ignoreCase ? null : { kind: "element", texts: [one] },
  );
};

/** `has_scope`: a whole word of a scope string, or an exact element. */
export const hasScope: Compile = (value, ignoreCase) => {
  const text = textValue(value);
  if (isProblem(text)) return text;
  const word = foldCase(text.text, ignoreCase);
  return timeIndependent(
    anyWord(word, (actual) => foldCase(actual, ignoreCase)),
    ignoreCase ? null : { kind: "word", texts: [word] },
  );
};

/** An operator that tests one text against the (folded) value. */
export const onText =
  (toTest: (wanted: string) => TextTest): Compile =>
  (value, ignoreCase) => {
    const text = textValue(value);
    if (isProblem(text)) return text;
    const test = toTest(foldCase(text.text, ignoreCase));
    return timeIndependent(anyText((actual) => test(foldCase(actual, ignoreCase))));
  };

/** `matches`: RE2, anchored at the start; pattern, input and the work of one condition are bounded. */
export const matches: Compile = (value, ignoreCase) => {
  if (typeof value !== "string") return { problem: "give a pattern as text" };
  if (value.length > MAX_PATTERN_LENGTH)
    return { problem: `a pattern may have at most ${MAX_PATTERN_LENGTH} characters` };
  const expression = compileRegularExpression(value, ignoreCase);
  if (isProblem(expression)) return expression;
  const { instructions } = expression;
  const test = anyText((text) => (text.length > MAX_INPUT_LENGTH ? "doubt" : expression.test(text)));
  const maxLength = MAX_STEPS / instructions;
  return {
    ...timeIndependent((claim, now) => (lengthOf(claim) > maxLength ? "uncomparable" : test(claim, now))),
    ...(instructions > MAX_SAVED_INSTRUCTIONS && {
      problemOnSave: `the pattern needs ${instructions} instructions of at most ${MAX_SAVED_INSTRUCTIONS}: lower the counts in {}`,
    }),
  };
};

/** The characters of a text, or of all scalar elements of a list. */
function lengthOf(claim: Json): number {
  const elements = isList(claim) ? claim : [claim];
  return elements.reduce<number>((sum, element) => sum + (isScalar(element) ? scalarText(element).length : 0), 0);
}
