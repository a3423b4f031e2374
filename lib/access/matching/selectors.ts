import type { Selector, Tool } from "@/lib/access/model/configuration";
import { compilePattern, type Pattern } from "@/lib/access/matching/patterns";
import { isProblem, type Problem } from "@/lib/access/model/problem";

/** The parts of a selector that hold patterns, in test order. */
const PATTERN_CLAUSES = ["source", "name", "path", "method"] as const;

/** The parts of a selector that test what a tool does. They work for tools without a method, such as those of MCP servers. */
export const TRAIT_CLAUSES = ["readOnly", "hasSideEffects", "destructive"] as const;

type Trait = (typeof TRAIT_CLAUSES)[number];

/** One part of a selector. */
type SelectorClause = (typeof PATTERN_CLAUSES)[number] | Trait | "requiredTags" | "excludedTags" | "requiredLabels";

/** The fields of a tool that find it: its id, and those that selectors test. */
export type SelectedTool = Pick<
  Tool,
  "id" | "source" | "operation" | "path" | "method" | "tags" | "labels" | "annotations" | "hasSideEffects"
>;

/** A tool's facts for selectors, read and converted to lower case once for many patterns. */
export interface SelectorFacts {
  readonly tool: SelectedTool;
  readonly tags: readonly string[];
  readonly labels: readonly string[];
  readonly texts: Readonly<Record<(typeof PATTERN_CLAUSES)[number], string | null>>;
  readonly folded: Readonly<Record<(typeof PATTERN_CLAUSES)[number], string | null>>;
}

/** Prepares a tool's facts for many selectors. `name` is the operation, never a name that an admin can edit. */
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
  const { requiredTags, excludedTags, requiredLabels } = selector;
  if (requiredTags.length > 0) tests.push(({ tags }) => requiredTags.every((tag) => tags.includes(tag)));
  if (excludedTags.length > 0) tests.push(({ tags }) => !excludedTags.some((tag) => tags.includes(tag)));
  if (requiredLabels.length > 0) tests.push(({ labels }) => requiredLabels.every((label) => labels.includes(label)));
  for (const trait of TRAIT_CLAUSES) {
    const wanted = selector[trait];
    if (wanted !== null) tests.push(({ tool }) => hasTrait(tool, trait) === wanted);
  }
  // Patterns last, because they take longest.
  let testSource = (_source: string): boolean => true;
  for (const clause of PATTERN_CLAUSES) {
    const text = selector[clause];
    if (text === null || text === "") continue;
    const pattern = compilePattern(text);
    if (isProblem(pattern)) return { problem: `${clause}: ${pattern.problem}` };
    if (clause === "source") testSource = pattern.test;
    if (!pattern.anything) tests.push((facts) => testPattern(pattern, clause, facts));
  }
  return { selector, testSource, test: (facts) => tests.every((test) => test(facts)) };
}

/**
 * Tests a trait. `readOnlyHint` makes a tool read-only. Without `destructiveHint`, a tool with side effects counts as
 * destructive, as in MCP.
 */
function hasTrait({ annotations, hasSideEffects }: SelectedTool, trait: Trait): boolean {
  if (trait === "hasSideEffects") return hasSideEffects;
  if (trait === "readOnly") return annotations.readOnlyHint === true;
  return annotations.destructiveHint ?? hasSideEffects;
}

/** Whether a selector states nothing, so that it would match every tool. */
export function isEmptySelector(selector: Selector): boolean {
  return (
    PATTERN_CLAUSES.every((clause) => selector[clause] === null || selector[clause] === "") &&
    TRAIT_CLAUSES.every((trait) => selector[trait] === null) &&
    selector.requiredTags.length + selector.excludedTags.length + selector.requiredLabels.length === 0
  );
}

/** Only `*` matches a fact that the tool does not have. */
function testPattern(pattern: Pattern, clause: (typeof PATTERN_CLAUSES)[number], facts: SelectorFacts): boolean {
  const folded = facts.folded[clause];
  const text = facts.texts[clause];
  return folded === null || text === null ? pattern.anything : pattern.test(text, folded);
}

/** One stated part of a selector and its verdict on a tool. */
export interface ClauseVerdict {
  readonly clause: SelectorClause;
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
  for (const clause of PATTERN_CLAUSES) {
    const text = selector[clause];
    if (text === null || text === "") continue;
    const pattern = compilePattern(text);
    const held = !isProblem(pattern) && testPattern(pattern, clause, facts);
    verdicts.push({ clause, pattern: text, actual: facts.texts[clause], held });
  }
  const listed = (
    clause: SelectorClause,
    wanted: readonly string[],
    has: readonly string[],
    present: boolean,
  ): void => {
    const actual = has.length === 0 ? null : has.join(", ");
    for (const pattern of wanted) verdicts.push({ clause, pattern, actual, held: has.includes(pattern) === present });
  };
  listed("requiredTags", selector.requiredTags, tool.tags, true);
  listed("excludedTags", selector.excludedTags, tool.tags, false);
  listed("requiredLabels", selector.requiredLabels, tool.labels, true);
  for (const trait of TRAIT_CLAUSES) {
    const wanted = selector[trait];
    if (wanted === null) continue;
    const actual = hasTrait(tool, trait);
    verdicts.push({ clause: trait, pattern: String(wanted), actual: String(actual), held: actual === wanted });
  }
  return verdicts;
}
