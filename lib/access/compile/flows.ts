import { bitsWhere, type Bits } from "@/lib/access/model/bitset";
import type { Configuration, Tool } from "@/lib/access/model/configuration";
import { classesOf, type FlowRule, type Restriction } from "@/lib/access/model/flow";
import { inParts, type Parts } from "@/lib/access/model/parts";
import { isProblem } from "@/lib/access/model/problem";
import { compileSelector, selectorFacts, type SelectorFacts } from "@/lib/access/matching/selectors";

/** An active, enforced flow rule over one catalogue (docs/reference/decision.md#flow). */
export interface CompiledFlowRule {
  readonly rule: FlowRule;
  /** The tools (by number) that the rule does not restrict. */
  readonly passing: Bits;
}

/** Compiles the flow rules that decisions apply, in the order of their names. */
export function* compileFlows(
  { flows }: Configuration,
  tools: readonly Tool[],
  errors: string[],
): Parts<readonly CompiledFlowRule[]> {
  const rules = flows.filter(({ active, mode }) => active && mode === "enforce");
  if (rules.length === 0) return [];
  const facts: SelectorFacts[] = [];
  yield* inParts(tools, (tool) => facts.push(selectorFacts(tool)));
  const compiled: CompiledFlowRule[] = [];
  for (const rule of rules.toSorted((left, right) => (left.name < right.name ? -1 : 1))) {
    yield;
    const restricts = rule.restrict.map((part) =>
      restrictionTest(part, (problem) => errors.push(`flow rule \`${rule.name}\`, ${problem}`)),
    );
    const passing = bitsWhere(tools.length, (n) => {
      const [tool, fact] = [tools[n], facts[n]];
      return tool !== undefined && fact !== undefined && !restricts.some((test) => test(tool, fact));
    });
    compiled.push({ rule, passing });
  }
  return compiled;
}

const NONE: readonly CompiledFlowRule[] = [];

/** The rules whose labels the caller holds, all of them. */
export function rulesHeld(flows: readonly CompiledFlowRule[], labels: readonly string[]): readonly CompiledFlowRule[] {
  if (flows.length === 0) return NONE;
  return flows.filter(({ rule }) => rule.when.every((label) => labels.includes(label)));
}

/** A selector that does not compile could mean any tool, so it restricts every tool. */
function restrictionTest(
  { is, tool: id, selector }: Restriction,
  report: (problem: string) => void,
): (tool: Tool, facts: SelectorFacts) => boolean {
  if (is !== null) return (tool) => classesOf(tool).includes(is);
  if (id !== null) return (tool) => tool.id === id;
  const compiled = selector === null ? { problem: "a restriction is empty" } : compileSelector(selector);
  if (!isProblem(compiled)) return (_tool, facts) => compiled.test(facts);
  report(compiled.problem);
  return () => true;
}
