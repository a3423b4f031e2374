import { addSparse, emptyBits, forEachBit, hasBit, setBit, type Bits } from "@/lib/access/model/bitset";
import type { Index } from "@/lib/access/compile/compile";
import { isApplied, isUnconditional, type CompiledPolicy } from "@/lib/access/compile/policies";
import { toConstraints, type Constraints } from "@/lib/access/findings/constraints";
import { covers, type Work } from "@/lib/access/findings/covers";
import { inParts, type Parts } from "@/lib/access/model/parts";
import { neverMatches } from "@/lib/access/findings/never";

/** A policy with the conditions on its caller and on the call's arguments, and the tools that it is about. */
export interface Rule {
  readonly compiled: CompiledPolicy;
  readonly claims: Constraints;
  /** `null` = no condition on arguments. */
  readonly args: Constraints | null;
  /** Numbers of the configuration after the change. A tool that the change removes has none. */
  readonly tools: Bits;
}

/** One configuration of a comparison, with tools in the numbers of the configuration after the change. */
export interface Side {
  readonly index: Index;
  /** By number of the index, the number after the change; −1 when the change removes the tool. */
  readonly numberAfter: (number: number) => number;
  readonly allows: readonly Rule[];
  /** Request policies: their tools are requestable, not visible. */
  readonly offers: readonly Rule[];
  readonly denies: readonly Rule[];
  /** Tools that no cause of the enabled step withholds. */
  readonly live: Bits;
}

/** Reads both sides of a change. Policies that can never match from `now` on (epoch ms) are left out. */
export function* toSide(index: Index, after: Index, now: number): Parts<Side> {
  const size = after.tools.all.length;
  const numberAfter =
    index === after
      ? (number: number) => number
      : (number: number) => after.tools.numberOf.get(index.tools.all[number]?.id ?? "") ?? -1;
  const movedGroups: Bits[] = [];
  yield* inParts(index.groups.all, ({ members }) => {
    const bits = emptyBits(size);
    if (index === after) addSparse(bits, members);
    else
      forEachBit(members, (number) => {
        const moved = numberAfter(number);
        if (moved >= 0) setBit(bits, moved);
      });
    movedGroups.push(bits);
  });
  const toolsOf = ({ policy, groups, unreadable }: CompiledPolicy): Bits => {
    const bits = emptyBits(size);
    // The members of a group in error are unknown: its deny withholds every tool.
    if (unreadable) return bits.fill(0xffffffff);
    for (const group of groups)
      if (policy.effect === "deny" || hasBit(index.groups.active, group)) addAll(bits, movedGroups[group]);
    return bits;
  };
  const rules: Rule[] = [];
  yield* inParts(index.policies, (compiled) => {
    if (!isApplied(compiled.policy) || compiled.until <= now) return;
    const claims = toConstraints(compiled);
    if (neverMatches(claims) !== null) return;
    const args = compiled.arguments.length === 0 ? null : argumentsOf(compiled);
    rules.push({ compiled, claims, args, tools: toolsOf(compiled) });
  });
  const live = emptyBits(size);
  yield* inParts(index.tools.all, (_tool, number) => {
    const moved = numberAfter(number);
    if (moved >= 0 && index.tools.disabled.every(({ passing }) => hasBit(passing, number))) setBit(live, moved);
  });
  const of = (effect: string) => rules.filter(({ compiled }) => compiled.policy.effect === effect);
  return { index, numberAfter, allows: of("allow"), offers: of("request"), denies: of("deny"), live };
}

function addAll(bits: Bits, more: Bits | undefined): void {
  more?.forEach((word, at) => (bits[at] = (bits[at] ?? 0) | word));
}

/** The argument conditions of a policy as constraints, as if they were its conditions on claims. */
function argumentsOf(compiled: CompiledPolicy): Constraints {
  return toConstraints({ ...compiled, matchers: compiled.arguments });
}

/** Whether `wide` applies whenever `narrow` does, from `now` on (epoch ms). */
export function appliesWith({ compiled: wide }: Rule, { compiled: narrow }: Rule, now: number): boolean {
  return wide.from <= Math.max(narrow.from, now) && wide.until >= narrow.until;
}

/** Whether `wide` binds no client, or the one that `narrow` binds: an access grant holds for tokens of one client. */
export function coversClient({ compiled: wide }: Rule, { compiled: narrow }: Rule): boolean {
  return wide.grant === null || wide.grant.client === narrow.grant?.client;
}

/** Proves that `wide` matches every caller whom `narrow` matches. */
export function coversClaims(wide: Rule, narrow: Rule, work: Work): boolean {
  if (isSameText(wide.compiled.policy.matchers, narrow.compiled.policy.matchers))
    return wide.claims.all.length + wide.claims.broken.length > 0 || isUnconditional(wide.compiled);
  return covers(wide.claims, narrow.claims, work);
}

/** Proves that the argument conditions of `wide` hold for every call for which those of `narrow` hold. */
export function coversArguments(wide: Rule, narrow: Rule, work: Work): boolean {
  if (wide.args === null) return true;
  if (wide.compiled.unreadable) return true;
  if (narrow.args === null || narrow.compiled.unreadable) return false;
  if (isSameText(wide.compiled.policy.arguments, narrow.compiled.policy.arguments)) return true;
  return neverMatchesArguments(narrow) || covers(wide.args, narrow.args, work);
}

function neverMatchesArguments({ args }: Rule): boolean {
  return args !== null && neverMatches(args) !== null;
}

function isSameText(left: unknown, right: unknown): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}
