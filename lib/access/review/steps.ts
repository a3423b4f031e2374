import { hasBit, numbersOf } from "@/lib/access/model/bitset";
import { requiredOf } from "@/lib/access/model/capabilities";
import { raisesOf, type FlowRule } from "@/lib/access/model/flow";
import type { Index } from "@/lib/access/compile/compile";
import { profileNames } from "@/lib/access/compile/profiles";
import type { Tool } from "@/lib/access/model/configuration";
import { inParts, type Parts } from "@/lib/access/model/parts";
import type { ResolveRequest } from "@/lib/access/decide/resolution";
import { MAX_NAMED, type Doubt, type Factor } from "@/lib/access/review/doubt";
import type { Reach } from "@/lib/access/review/reach";
import type { Side } from "@/lib/access/review/sides";

/** One reachable tool on both sides of a change. */
interface Pair {
  readonly tool: Tool;
  readonly number: number;
  readonly was: { readonly tool: Tool; readonly number: number } | null;
}

/**
 * Compares the steps after the policies for each tool that somebody may reach: enabled, state, flow, profile, capability.
 * Callers choose their state in the built-in machine. So a tool gains a state there only if no state of any machine had it.
 */
export function* compareSteps(before: Side, after: Side, { reachable, through }: Reach): Parts<readonly Doubt[]> {
  const doubts: Doubt[] = [];
  const pairs: Pair[] = [];
  yield* inParts(numbersOf(reachable), (number) => {
    const tool = after.index.tools.all[number];
    if (tool === undefined) return;
    const old = before.index.tools.numberOf.get(tool.id);
    const known = old === undefined ? undefined : before.index.tools.all[old];
    const was = known === undefined || old === undefined ? null : { tool: known, number: old };
    pairs.push({ tool, number, was });
  });
  const doubt = (factor: Factor, { tool, number }: Pair, request: Partial<ResolveRequest> = {}) =>
    doubts.push({
      factor,
      rule: tool.id,
      tools: [tool.id],
      through: toList(through.get(number)),
      withheldBy: null,
      request,
    });
  // Compiles the profiles in parts. The comparison below would compile each on its first use.
  for (const name of profileNames)
    for (const { index } of [before, after]) {
      index.profiles(name);
      yield;
    }
  const freedByCall = compareRaises(before.index, after.index, pairs);
  yield* inParts(pairs, (pair) => {
    if (pair.was === null || !hasBit(before.live, pair.number)) doubt("enabled", pair);
    const required = requiredOf(pair.tool.requiredCapabilities);
    if (!requiredOf(pair.was?.tool.requiredCapabilities ?? []).every((one) => required.includes(one)))
      doubt("capability", pair, { capabilities: required });
    const lost = pair.was === null ? null : lostRestriction(before.index, after.index, pair.was, pair);
    if (lost !== null) doubt("flow", pair, { labels: lost });
    const freed = pair.was === null ? null : freedByCall(pair.was.tool, pair.tool);
    if (freed !== null)
      doubts.push({
        factor: "flow",
        rule: pair.tool.id,
        tools: freed.tools.map(({ tool }) => tool.id),
        more: freed.more,
        through: [...new Set([pair, ...freed.tools].flatMap(({ number }) => toList(through.get(number))))],
        withheldBy: null,
        request: { labels: freed.held },
        raised: freed.raised,
      });
    const profile = profileNames.find((name) => gains(before.index, after.index, name, pair));
    if (profile !== undefined) doubt("profile", pair, { profiles: [profile] });
    if (isEverAvailable(after.index, null, pair.tool) && !isAvailableSomewhere(before.index, pair.was?.tool))
      doubt("state", pair);
  });
  yield* compareMachines(before.index, after.index, pairs, doubt);
  return doubts;
}

const toList = <Value>(value: Value | undefined): readonly Value[] => (value === undefined ? [] : [value]);

/**
 * The labels of a rule that restricted a tool before a change and no longer does. `null` proves that no caller sees or calls
 * the tool with fewer restrictions: for each rule before, a rule after restricts the tool as strictly, for the same labels
 * or for fewer of them.
 */
function lostRestriction(
  before: Index,
  after: Index,
  was: NonNullable<Pair["was"]>,
  pair: Pair,
): readonly string[] | null {
  const lost = before.flows.all.find(
    ({ rule, passing }) => !hasBit(passing, was.number) && !isRestrictedUnder(after, pair, rule, rule.when),
  );
  return lost?.rule.when ?? null;
}

/** Whether a rule restricts a tool as strictly as the given one, and applies to every holder of these labels. */
function isRestrictedUnder({ flows }: Index, { number }: Pair, { effect }: FlowRule, held: readonly string[]): boolean {
  return flows.all.some(
    ({ rule, passing }) =>
      !hasBit(passing, number) &&
      (rule.effect === "hide" || effect === "approve") &&
      rule.when.every((label) => held.includes(label)),
  );
}

/** What callers gain when a tool raises fewer labels after a change. */
interface Freed {
  /** The labels that the tool no longer raises. */
  readonly raised: readonly string[];
  /** The other labels of a rule that restricted the tools below. */
  readonly held: readonly string[];
  readonly tools: readonly Pair[];
  /** The number of tools beyond these. */
  readonly more: number;
}

/**
 * Compares the labels that calls of a tool raise. A label that is no longer raised is a doubt when a rule before the change
 * needed it to restrict a reachable tool, and no rule after the change restricts that tool without it. `null` proves that
 * no label is such a doubt.
 */
function compareRaises(before: Index, after: Index, pairs: readonly Pair[]): (was: Tool, is: Tool) => Freed | null {
  const known = new Map<string, Freed | null>();
  const hidingFirst = before.flows.all.toSorted(
    (left, right) => Number(left.rule.effect !== "hide") - Number(right.rule.effect !== "hide"),
  );
  const freedWithout = (raised: readonly string[]): Freed | null => {
    for (const { rule, passing } of hidingFirst) {
      const held = rule.when.filter((label) => !raised.includes(label));
      if (held.length === rule.when.length) continue;
      const isFreed = (pair: Pair) =>
        pair.was !== null && !hasBit(passing, pair.was.number) && !isRestrictedUnder(after, pair, rule, held);
      const all = pairs.filter(isFreed);
      const tools = all.slice(0, MAX_NAMED);
      if (tools.length > 0) return { raised, held, tools, more: all.length - tools.length };
    }
    return null;
  };
  return (was, is) => {
    const raised = raisesOf(is, after.config.labels);
    const missing = raisesOf(was, before.config.labels).filter((label) => !raised.includes(label));
    if (missing.length === 0) return null;
    const key = JSON.stringify(missing.toSorted());
    if (!known.has(key)) known.set(key, freedWithout(missing));
    return known.get(key) ?? null;
  };
}

/** Whether a profile lets a tool through after the change that it withheld before. */
function gains(before: Index, after: Index, name: string, { number, was }: Pair): boolean {
  const [had, has] = [before.profiles(name), after.profiles(name)];
  if (was === null || !hasBit(has.allowed, number) || !hasBit(has.reviewed, number)) return false;
  return !hasBit(had.allowed, was.number) || !hasBit(had.reviewed, was.number);
}

/** Whether a machine (`null`: the built-in one) makes a tool available in some state. */
export function isEverAvailable({ machines }: Index, machine: string | null, tool: Tool): boolean {
  const states = machines.get(machine)?.statesOf(tool);
  return states === null || (states !== undefined && states.length > 0);
}

/** Whether a caller without an assigned machine can reach a tool. Such a caller chooses both machine and state. */
function isAvailableSomewhere(index: Index, tool: Tool | undefined): boolean {
  return tool !== undefined && [...index.machines.keys()].some((name) => isEverAvailable(index, name, tool));
}

/** A state that no machine defines. Only tools without a rule are available in it. */
const UNKNOWN_STATE = "\0unknown";

/**
 * Compares each named machine. An old machine is a doubt when it shows another tool in some state, or changes a transition
 * of a tool that it shows, because a session could then reach other states. A new machine is a doubt when it shows a tool
 * that no machine showed before.
 */
function* compareMachines(
  before: Index,
  after: Index,
  pairs: readonly Pair[],
  doubt: (factor: Factor, pair: Pair, request: Partial<ResolveRequest>) => void,
): Parts<void> {
  for (const [name, machine] of after.machines) {
    if (name === null) continue;
    const was = before.machines.get(name);
    const isSame = was !== undefined && JSON.stringify(was.machine) === JSON.stringify(machine.machine);
    const states = [...new Set([...stateNames(machine.machine), ...stateNames(was?.machine ?? null), UNKNOWN_STATE])];
    yield* inParts(pairs, (pair) => {
      const old = pair.was?.tool;
      if (old === undefined || (isSame && old === pair.tool)) return;
      if (was === undefined) {
        if (isEverAvailable(after, name, pair.tool) && !isAvailableSomewhere(before, old))
          doubt("state", pair, { machine: name });
        return;
      }
      const state = states.find((one) => {
        if (!hasBit(machine.available(one), pair.number)) return false;
        const had = before.tools.numberOf.get(old.id) ?? -1;
        return !hasBit(was.available(one), had) || machine.next(one, pair.tool) !== was.next(one, old);
      });
      if (state !== undefined) doubt("state", pair, { machine: name, state });
      else if (machine.initial !== was.initial) doubt("state", pair, { machine: name });
    });
  }
}

function stateNames(machine: { readonly states: readonly { readonly name: string }[] } | null): readonly string[] {
  return machine?.states.map(({ name }) => name) ?? [];
}
