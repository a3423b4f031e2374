import { isApplied } from "@/lib/access/compile/policies";
import { bitsWhere, clearBit, type Bits } from "@/lib/access/model/bitset";
import { toCatalogue, type Catalogue, type Numbered } from "@/lib/access/model/catalogue";
import type { Configuration } from "@/lib/access/model/configuration";
import { classesOf, type FlowRule, type Restriction } from "@/lib/access/model/flow";
import { inParts, type Parts } from "@/lib/access/model/parts";
import { isProblem } from "@/lib/access/model/problem";
import { compileSelector } from "@/lib/access/matching/selectors";

/** An active, enforced flow rule over one catalogue (docs/reference/decision.md#flow). */
export interface CompiledFlowRule {
  readonly rule: FlowRule;
  /** The tools (by number) that the rule does not restrict. */
  readonly passing: Bits;
}

/** The tools that restrictions name, by number. */
interface Restrictable extends Catalogue {
  readonly byClass: ReadonlyMap<string, readonly number[]>;
}

/** Compiles the flow rules that decisions apply, in the order of their names. */
export function* compileFlows(
  { flows }: Configuration,
  tools: Numbered,
  errors: string[],
): Parts<readonly CompiledFlowRule[]> {
  const rules = flows.filter(isApplied);
  if (rules.length === 0) return [];
  const restrictable = yield* indexRestrictable(tools);
  const everything = bitsWhere(tools.all.length, () => true);
  const compiled: CompiledFlowRule[] = [];
  for (const rule of rules.toSorted((left, right) => (left.name < right.name ? -1 : 1))) {
    yield;
    const passing = everything.slice();
    for (const part of rule.restrict) {
      const report = (problem: string) => errors.push(`flow rule \`${rule.name}\`, ${problem}`);
      forEachRestricted(part, restrictable, report, (number) => clearBit(passing, number));
    }
    compiled.push({ rule, passing });
  }
  return compiled;
}

function* indexRestrictable(tools: Numbered): Parts<Restrictable> {
  const byClass = new Map<string, number[]>();
  yield* inParts(tools.all, (tool, number) => {
    for (const is of classesOf(tool)) {
      const known = byClass.get(is);
      if (known === undefined) byClass.set(is, [number]);
      else known.push(number);
    }
  });
  return { ...(yield* toCatalogue(tools)), byClass };
}

const NONE: readonly CompiledFlowRule[] = [];

/** The rules whose labels the caller holds, all of them. */
export function rulesHeld(flows: readonly CompiledFlowRule[], labels: readonly string[]): readonly CompiledFlowRule[] {
  if (flows.length === 0) return NONE;
  return flows.filter(({ rule }) => rule.when.every((label) => labels.includes(label)));
}

/** Visits the tools of a restriction. A selector that does not compile could mean any tool, so all tools are visited. */
function forEachRestricted(
  { is, tool: id, selector }: Restriction,
  { bySource, numberOf, byClass }: Restrictable,
  report: (problem: string) => void,
  visit: (number: number) => void,
): void {
  if (is !== null) return byClass.get(is)?.forEach(visit);
  if (id !== null) {
    const number = numberOf.get(id);
    return number === undefined ? undefined : visit(number);
  }
  const compiled = selector === null ? { problem: "a restriction is empty" } : compileSelector(selector);
  if (isProblem(compiled)) report(compiled.problem);
  for (const [source, entries] of bySource) {
    if (!isProblem(compiled) && !compiled.testSource(source)) continue;
    for (const { number, facts } of entries) if (isProblem(compiled) || compiled.test(facts)) visit(number);
  }
}
