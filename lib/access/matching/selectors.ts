import type { Selector, Tool } from "@/lib/access/model/configuration";
import { compilePattern, type Pattern } from "@/lib/access/matching/patterns";
import { isProblem, type Problem } from "@/lib/access/model/problem";
import {
  clausesIn,
  isStated,
  LIST_CLAUSES,
  PATTERN_CLAUSES,
  TRAIT_CLAUSES,
  type SelectedTool,
} from "@/lib/access/matching/selector-clauses";

type PatternClause = keyof typeof PATTERN_CLAUSES;

/** A tool's facts for selectors; `folded` holds `texts` in lower case, converted once for many patterns. */
export interface SelectorFacts {
  readonly tool: SelectedTool;
  readonly tags: readonly string[];
  readonly labels: readonly string[];
  readonly texts: Readonly<Record<PatternClause, string | null>>;
  readonly folded: Readonly<Record<PatternClause, string | null>>;
}

/** Reads a tool's facts for selectors. */
export function selectorFacts(tool: SelectedTool): SelectorFacts {
  const { source, operation: name, path, method, tags, labels } = tool;
  return {
    tool,
    tags,
    labels,
    texts: { source, name, path, method },
    folded: {
      source: source.toLowerCase(),
      name: name.toLowerCase(),
      path: path?.toLowerCase() ?? null,
      method: method?.toLowerCase() ?? null,
    },
  };
}

/** A selector that is ready to test tools. */
export interface CompiledSelector {
  readonly selector: Selector;
  /** Whether the selector can match tools of a source: lets a caller skip whole sources. */
  readonly testSource: (source: string) => boolean;
  readonly test: (facts: SelectorFacts) => boolean;
}

type ClauseTest = (facts: SelectorFacts) => boolean;

/** Compiles a selector. A tool must match every stated part (docs/reference/decision.md#group). */
export function compileSelector(selector: Selector): CompiledSelector | Problem {
  const tests: ClauseTest[] = [];
  for (const clause of clausesIn(LIST_CLAUSES)) {
    const words = selector[clause];
    const { field, present } = LIST_CLAUSES[clause];
    if (words.length > 0) tests.push((facts) => words.every((word) => facts[field].includes(word) === present));
  }
  for (const clause of clausesIn(TRAIT_CLAUSES)) {
    const wanted = selector[clause];
    const hasTrait = TRAIT_CLAUSES[clause];
    if (wanted !== null) tests.push(({ tool }) => hasTrait(tool) === wanted);
  }
  // Patterns last, because they take longest.
  let testSource = (_source: string): boolean => true;
  for (const clause of clausesIn(PATTERN_CLAUSES)) {
    const text = selector[clause];
    if (text === null || text === "") continue;
    const pattern = compilePattern(text);
    if (isProblem(pattern)) return { problem: `${clause}: ${pattern.problem}` };
    if (clause === "source") testSource = pattern.test;
    if (!pattern.anything) tests.push((facts) => testPattern(pattern, clause, facts));
  }
  return { selector, testSource, test: (facts) => tests.every((test) => test(facts)) };
}

/** Whether a selector states nothing, so that it would match every tool. */
export function isEmptySelector(selector: Selector): boolean {
  return !Object.values(selector).some(isStated);
}

/** Only `*` matches a fact that the tool does not have. */
function testPattern(pattern: Pattern, clause: PatternClause, facts: SelectorFacts): boolean {
  const folded = facts.folded[clause];
  const text = facts.texts[clause];
  return folded === null || text === null ? pattern.anything : pattern.test(text, folded);
}

/** One stated part of a selector and its verdict on a tool. */
export interface ClauseVerdict {
  readonly clause: keyof Selector;
  /** The pattern, or the tag or label. */
  readonly pattern: string;
  /** The tool's fact, or its tags or labels, comma-separated; `null` when the tool has none. */
  readonly actual: string | null;
  readonly held: boolean;
}

/** The verdict of every stated part, for an editor's matches and near misses. Uses the same tests. */
export function explainSelector(selector: Selector, tool: Tool): readonly ClauseVerdict[] {
  const facts = selectorFacts(tool);
  const verdicts: ClauseVerdict[] = [];
  for (const clause of clausesIn(PATTERN_CLAUSES)) {
    const text = selector[clause];
    if (text === null || text === "") continue;
    const pattern = compilePattern(text);
    const held = !isProblem(pattern) && testPattern(pattern, clause, facts);
    verdicts.push({ clause, pattern: text, actual: facts.texts[clause], held });
  }
  for (const clause of clausesIn(LIST_CLAUSES)) {
    const { field, present } = LIST_CLAUSES[clause];
    const has = facts[field];
    const actual = has.length === 0 ? null : has.join(", ");
    for (const word of selector[clause])
      verdicts.push({ clause, pattern: word, actual, held: has.includes(word) === present });
  }
  for (const clause of clausesIn(TRAIT_CLAUSES)) {
    const wanted = selector[clause];
    if (wanted === null) continue;
    const actual = TRAIT_CLAUSES[clause](tool);
    verdicts.push({ clause, pattern: String(wanted), actual: String(actual), held: actual === wanted });
  }
  return verdicts;
}
