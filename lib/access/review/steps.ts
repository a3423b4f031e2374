import { hasBit, numbersOf } from "@/lib/access/model/bitset";
import { requiredOf } from "@/lib/access/model/capabilities";
import { raisesOf } from "@/lib/access/model/flow";
import type { Index } from "@/lib/access/compile/compile";
import { profileNames } from "@/lib/access/compile/profiles";
import type { Tool } from "@/lib/access/model/configuration";
import { inParts, type Parts } from "@/lib/access/model/parts";
import type { ResolveRequest } from "@/lib/access/decide/resolution";
import type { Doubt, Factor } from "@/lib/access/review/doubt";
import type { Reach } from "@/lib/access/review/reach";
import type { Side } from "@/lib/access/review/sides";

/** One reachable tool on both sides of a change. */
interface Pair {
  readonly tool: Tool;
  readonly number: number;
  readonly was: { readonly tool: Tool; readonly number: number } | null;
}

/**
 * Compares the steps after the policies for each tool that somebody may reach: enabled, state, flow, profile, capability. The
 * built-in machine's states bind no caller, so only a tool that has no state at all counts there.
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
      through: only(through.get(number)),
      withheldBy: null,
      request,
    });
  yield* inParts(pairs, (pair) => {
    if (pair.was === null || !hasBit(before.live, pair.number)) doubt("enabled", pair);
    const required = requiredOf(pair.tool.requiredCapabilities);
    if (!requiredOf(pair.was?.tool.requiredCapabilities ?? []).every((one) => required.includes(one)))
      doubt("capability", pair, { capabilities: required });
    const lost = pair.was === null ? null : lostRestriction(before.index, after.index, pair.was, pair);
    if (lost !== null) doubt("flow", pair, { labels: lost });
    const profile = profileNames.find((name) => gains(before.index, after.index, name, pair));
    if (profile !== undefined) doubt("profile", pair, { profiles: [profile] });
    if (isEverAvailable(after.index, null, pair.tool) && !isAvailableSomewhere(before.index, pair.was?.tool))
      doubt("state", pair);
  });
  yield* compareMachines(before.index, after.index, pairs, doubt);
  return doubts;
}

const only = <Value>(value: Value | undefined): readonly Value[] => (value === undefined ? [] : [value]);

/**
 * Labels under which a tool may be less restricted after a change; `null` is proof for every set of labels. Each rule that
 * restricted the tool needs a rule that does so for the same labels or fewer. A tool must still raise each label that a rule
 * read: callers would hold fewer.
 */
function lostRestriction(
  before: Index,
  after: Index,
  was: NonNullable<Pair["was"]>,
  { tool, number }: Pair,
): readonly string[] | null {
  const restricting = after.flows.filter(({ passing }) => !hasBit(passing, number));
  const lost = before.flows.find(
    ({ rule, passing }) =>
      !hasBit(passing, was.number) &&
      !restricting.some(
        ({ rule: other }) =>
          (other.effect === "hide" || rule.effect === "approve") &&
          other.when.every((label) => rule.when.includes(label)),
      ),
  );
  if (lost !== undefined) return lost.rule.when;
  const raised = raisesOf(tool, after.config.labels);
  const read = (label: string) => before.flows.some(({ rule }) => rule.when.includes(label));
  const missing = raisesOf(was.tool, before.config.labels).filter((label) => !raised.includes(label) && read(label));
  return missing.length === 0 ? null : missing;
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

/** Whether a caller to whom no machine is assigned could reach a tool: such a caller chooses machine and state. */
function isAvailableSomewhere(index: Index, tool: Tool | undefined): boolean {
  return tool !== undefined && [...index.machines.keys()].some((name) => isEverAvailable(index, name, tool));
}

/** A state that no machine defines: in it only tools without a rule are available. */
const UNKNOWN_STATE = "\0unknown";

/**
 * Compares each named machine that both sides have: in every state no more tools, and the same transitions of available
 * tools, because a session may reach only states that it could reach before. A new machine must show no tool that no
 * machine showed before.
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
