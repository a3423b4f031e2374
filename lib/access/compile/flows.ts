import { isApplied } from "@/lib/access/compile/policies";
import { bitsWhere, clearBit, type Bits } from "@/lib/access/model/bitset";
import { candidates, toCatalogue, type Catalogue, type Numbered } from "@/lib/access/model/catalogue";
import type { Configuration } from "@/lib/access/model/configuration";
import { classesOf, type FlowRule, type Restriction } from "@/lib/access/model/flow";
import { append } from "@/lib/access/model/lists";
import { inParts, type Parts } from "@/lib/access/model/parts";
import { isProblem } from "@/lib/access/model/problem";
import { compileSelector } from "@/lib/access/matching/selectors";

/** An active, enforced flow rule over one catalogue (docs/reference/decision.md#flow). */
export interface CompiledFlowRule {
  readonly rule: FlowRule;
  /** The tools (by number) that the rule does not restrict. */
  readonly passing: Bits;
}

/** The flow rules that decisions apply. */
export interface CompiledFlows {
  /** In the order of their names. */
  readonly all: readonly CompiledFlowRule[];
  /** The places in `all` of the rules that apply only to holders of a label. Each rule is under one of its labels. */
  readonly byLabel: ReadonlyMap<string, readonly number[]>;
  /** The places in `all` of the rules without labels: they always apply. */
  readonly always: readonly number[];
}

/** The tools that restrictions name, by number. */
interface Restrictable extends Catalogue {
  readonly byClass: ReadonlyMap<string, readonly number[]>;
}

const NONE: CompiledFlows = { all: [], byLabel: new Map(), always: [] };

/** Compiles the flow rules that decisions apply. */
export function* compileFlows({ flows }: Configuration, tools: Numbered, errors: string[]): Parts<CompiledFlows> {
  const rules = flows.filter(isApplied);
  if (rules.length === 0) return NONE;
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
  return indexLabels(compiled);
}

function indexLabels(all: readonly CompiledFlowRule[]): CompiledFlows {
  const byLabel = new Map<string, number[]>();
  const always: number[] = [];
  for (const [place, { rule }] of all.entries()) {
    const [label] = rule.when;
    if (label === undefined) always.push(place);
    else append(byLabel, label, place);
  }
  return { all, byLabel, always };
}

function* indexRestrictable(tools: Numbered): Parts<Restrictable> {
  const byClass = new Map<string, number[]>();
  yield* inParts(tools.all, (tool, number) => {
    for (const is of classesOf(tool)) append(byClass, is, number);
  });
  return { ...(yield* toCatalogue(tools)), byClass };
}

const NO_RULES: readonly CompiledFlowRule[] = [];

/** The rules whose labels the caller holds, all of them, in the order of their names. Tests only rules under a held label. */
export function rulesHeld(
  { all, byLabel, always }: CompiledFlows,
  labels: readonly string[],
): readonly CompiledFlowRule[] {
  if (all.length === 0) return NO_RULES;
  const held = new Set(labels);
  const places = [...always, ...[...held].flatMap((label) => byLabel.get(label) ?? [])];
  const rules = places.toSorted((left, right) => left - right).flatMap((place) => all[place] ?? []);
  return rules.filter(({ rule }) => rule.when.every((label) => held.has(label)));
}

/** Visits the tools of a restriction. A selector that does not compile could mean any tool, so all tools are visited. */
function forEachRestricted(
  { is, tool: id, selector }: Restriction,
  restrictable: Restrictable,
  report: (problem: string) => void,
  visit: (number: number) => void,
): void {
  if (is !== null) return restrictable.byClass.get(is)?.forEach(visit);
  if (id !== null) {
    const number = restrictable.numberOf.get(id);
    return number === undefined ? undefined : visit(number);
  }
  const compiled = selector === null ? { problem: "a restriction is empty" } : compileSelector(selector);
  if (isProblem(compiled)) report(compiled.problem);
  const selectors = isProblem(compiled) ? [] : [compiled];
  for (const entries of candidates(selectors, restrictable))
    for (const { number, facts } of entries) if (selectors.every((one) => one.test(facts))) visit(number);
}
