import { emptyBits, hasBit, numbersOf, setBit, type Bits } from "@/lib/access/model/bitset";
import type { CompiledPolicy } from "@/lib/access/compile/policies";
import { offersAsMuch, type Work } from "@/lib/access/findings/covers";
import type { Parts } from "@/lib/access/model/parts";
import { MAX_NAMED, type Doubt, type Factor } from "@/lib/access/review/doubt";
import {
  appliesWith,
  coversArguments,
  coversClaims,
  coversClient,
  type Rule,
  type Side,
} from "@/lib/access/review/sides";

/** The tools that some policy shows or offers after a change, and the doubts whether it did so before. */
export interface Reach {
  readonly doubts: readonly Doubt[];
  /** Live tools that an allow or request policy names after the change; nobody sees or may request a tool outside. */
  readonly reachable: Bits;
  /** By tool number: an allow policy that names it after the change, else a request policy. */
  readonly through: ReadonlyMap<number, CompiledPolicy>;
}

/**
 * Proves for each allow policy that the policies before the change showed its tools to its callers, for each request policy
 * that they showed or offered them, and for each deny that the denies after the change withhold its tools from its callers
 * (docs/reference/governance.md#verdict).
 *
 * @param now epoch milliseconds: the comparison holds from then on
 */
export function* compareReach(before: Side, after: Side, now: number, work: Work): Parts<Reach> {
  const doubts: Doubt[] = [];
  const reachable = emptyBits(after.index.tools.all.length);
  const through = new Map<number, CompiledPolicy>();
  const named = new Map([...before.allows, ...before.offers].map((rule) => [rule.compiled.policy.name, rule]));
  for (const rule of [...after.allows, ...after.offers]) {
    yield;
    const need = intersection(rule.tools, after.live);
    for (const tool of numbersOf(need)) {
      setBit(reachable, tool);
      if (!through.has(tool)) through.set(tool, rule.compiled);
    }
    yield* subtractShownBefore(need, rule, before, { named, now, work });
    if (!isEmpty(need))
      doubts.push(doubtOf(factorOf(rule, named, now, work), rule.compiled.policy.name, need, after, [rule.compiled]));
  }
  for (const rule of before.denies) {
    yield;
    const need = existing(intersection(rule.tools, reachable), before, after);
    for (const wide of after.denies) {
      if (isEmpty(need)) break;
      if (isDisjoint(need, wide.tools) || !withholds(wide, rule, now, work)) continue;
      subtract(need, wide.tools);
      yield;
    }
    if (isEmpty(need)) continue;
    const naming = [...after.allows, ...after.offers].filter(({ tools }) => !isDisjoint(need, tools));
    const policies = naming.slice(0, MAX_NAMED).map(({ compiled }) => compiled);
    const doubt = doubtOf("policy", rule.compiled.policy.name, need, after, policies);
    doubts.push({ ...doubt, withheldBy: rule.compiled });
  }
  return { doubts, reachable, through };
}

interface Searching {
  readonly named: ReadonlyMap<string, Rule>;
  readonly now: number;
  readonly work: Work;
}

/** Removes from `need` the tools that a policy before the change showed, or offered alike, to all callers of the rule. */
function* subtractShownBefore(need: Bits, rule: Rule, before: Side, { named, now, work }: Searching): Parts<void> {
  const own = named.get(rule.compiled.policy.name);
  const others = rule.compiled.policy.effect === "request" ? [...before.offers, ...before.allows] : before.allows;
  for (const wide of own === undefined ? others : [own, ...others]) {
    if (isEmpty(need)) return;
    if (isDisjoint(need, wide.tools) || !offersAsMuch(wide.compiled.policy, rule.compiled.policy)) continue;
    if (!shows(wide, rule, now, work)) continue;
    subtract(need, wide.tools);
    yield;
  }
}

/** Whether `wide` shows its tools to every caller of `narrow`, and lets through every call that `narrow` lets through. */
function shows(wide: Rule, narrow: Rule, now: number, work: Work): boolean {
  if (!coversClient(wide, narrow)) return false;
  return appliesWith(wide, narrow, now) && coversArguments(wide, narrow, work) && coversClaims(wide, narrow, work);
}

/** Whether `wide` withholds from every caller of `narrow`, and refuses every call that `narrow` refuses. */
function withholds(wide: Rule, narrow: Rule, now: number, work: Work): boolean {
  if (wide.args !== null && narrow.args === null) return false;
  return shows(wide, narrow, now, work);
}

/** Why the proof about a policy failed: its tools, its argument conditions, or its callers and times. */
function factorOf(rule: Rule, named: ReadonlyMap<string, Rule>, now: number, work: Work): Factor {
  const own = named.get(rule.compiled.policy.name);
  if (own === undefined || !offersAsMuch(own.compiled.policy, rule.compiled.policy)) return "policy";
  if (!appliesWith(own, rule, now) || !coversClaims(own, rule, work)) return "policy";
  return coversArguments(own, rule, work) ? "membership" : "arguments";
}

/** The tools that both sides have. A new tool was withheld before by its absence, which the enabled step compares. */
function existing(need: Bits, before: Side, after: Side): Bits {
  for (const number of numbersOf(need)) {
    const id = after.index.tools.all[number]?.id;
    if (id === undefined || !before.index.tools.numberOf.has(id)) clear(need, number);
  }
  return need;
}

function doubtOf(
  factor: Factor,
  rule: string,
  tools: Bits,
  { index }: Side,
  through: readonly CompiledPolicy[],
): Doubt {
  const ids = numbersOf(tools).flatMap((number) => index.tools.all[number]?.id ?? []);
  const more = Math.max(0, ids.length - MAX_NAMED);
  return { factor, rule, tools: ids.slice(0, MAX_NAMED), more, through, withheldBy: null, request: {} };
}

const isEmpty = (bits: Bits): boolean => bits.every((word) => word === 0);

const isDisjoint = (left: Bits, right: Bits): boolean => left.every((word, at) => (word & (right[at] ?? 0)) === 0);

const intersection = (left: Bits, right: Bits): Bits => left.map((word, at) => word & (right[at] ?? 0));

function subtract(bits: Bits, others: Bits): void {
  others.forEach((word, at) => (bits[at] = (bits[at] ?? 0) & ~word));
}

function clear(bits: Bits, number: number): void {
  if (hasBit(bits, number)) bits[number >>> 5] = (bits[number >>> 5] ?? 0) & ~(1 << (number & 31));
}
