import type { Index } from "@/lib/access/compile/compile";
import type { CompiledMachine } from "@/lib/access/compile/machines";
import { toolAt } from "@/lib/access/decide/entries";
import { makePlan, type Plan } from "@/lib/access/decide/plan";
import { STEPS, type ResolveRequest, type StatePath } from "@/lib/access/decide/resolution";
import { firstFailure, judgeStep } from "@/lib/access/explain/steps";
import type { Tool } from "@/lib/access/model/configuration";
import { inParts, type Parts } from "@/lib/access/model/parts";

/**
 * The most states that a search visits. A named machine has no more (lib/resources/machine.ts), but the tools of the
 * built-in machine may name any number.
 */
const MAX_SEARCHED_STATES = 200;

/** A tool whose calls move the state, in place of all tools that move it alike. */
interface Mover {
  readonly tool: Tool;
  /** Whether another step than the state hides all of these tools from the caller. */
  readonly hidden: boolean;
}

/**
 * The states that calls lead to, fewest calls first, with the call that first entered each (`null`: the search began
 * there). `null` when there are more than `MAX_SEARCHED_STATES`.
 */
type Reached = ReadonlyMap<string, { readonly from: string; readonly mover: Mover } | null> | null;

/**
 * The state paths of tools (by id): the fewest calls that lead from the present state to one in which the tool is available
 * (docs/reference/decision.md#state-path). Has no entry for a tool that is visible or that an earlier step hides, and none
 * when the tools name too many states. Searches the machine at most twice, for any number of tools; in parts, because
 * every tool may be a call that moves the state.
 *
 * @param evenUngranted also the paths of tools that no policy grants: the caller may request them in another state
 */
export function* statePathsInParts(
  index: Index,
  request: ResolveRequest,
  now: number,
  toolIds: Iterable<string>,
  evenUngranted = false,
): Parts<ReadonlyMap<string, StatePath>> {
  // A list may keep disabled tools, but nobody can call them.
  const plan = makePlan(index, { ...request, includeDisabled: false }, now);
  const machine = index.machines.get(request.machine);
  const paths = new Map<string, StatePath>();
  let searches: readonly Reached[] | undefined;
  for (const id of toolIds) {
    yield;
    const number = index.tools.numberOf.get(id);
    if (machine === undefined || number === undefined) continue;
    if (!evenUngranted && firstFailure(plan, number)?.reason !== "state_mismatch") continue;
    searches ??= yield* search(plan, machine);
    const path = shortest(searches, plan.state, machine.statesOf(toolAt(index, number)) ?? []);
    if (path !== null) paths.set(id, path);
  }
  return paths;
}

/** The path to one of some states; without calls when none of them is reached, `null` when a search was given up. */
function shortest(searches: readonly Reached[], from: string, states: Iterable<string>): StatePath | null {
  const wanted = new Set(states);
  for (const reached of searches) {
    if (reached === null) return null;
    const target = [...reached.keys()].find((state) => wanted.has(state));
    if (target !== undefined) return { from, calls: callsTo(target, reached) };
  }
  return { from, calls: [] };
}

/** The states that calls of the caller reach, then, where that differs, those that calls of any caller reach. */
function* search(plan: Plan, machine: CompiledMachine): Parts<readonly Reached[]> {
  const movers = yield* moversOf(plan, machine);
  const callable = movers.filter(({ hidden }) => !hidden);
  const searches: Reached[] = [];
  for (const tried of callable.length === movers.length ? [movers] : [callable, movers])
    searches.push(yield* reachedBy(plan.state, machine, tried));
  return searches;
}

/** One mover for each way to move, so that a selector rule counts once, however many tools it matches. */
function* moversOf(plan: Plan, { transitionsKey }: CompiledMachine): Parts<readonly Mover[]> {
  const mayCall = (number: number) => STEPS.every((step) => step === "state" || judgeStep(plan, step, number) === null);
  const movers = new Map<object, Mover>();
  yield* inParts(plan.index.tools.all, (tool, number) => {
    const key = transitionsKey(tool);
    if (key === null || movers.get(key)?.hidden === false) return;
    const hidden = !mayCall(number);
    if (!hidden || !movers.has(key)) movers.set(key, { tool, hidden });
  });
  return [...movers.values()];
}

/** Searches breadth first over successful calls. */
function* reachedBy(start: string, machine: CompiledMachine, movers: readonly Mover[]): Parts<Reached> {
  const reached: Map<string, { from: string; mover: Mover } | null> = new Map([[start, null]]);
  for (const from of reached.keys()) {
    yield;
    for (const mover of movers) {
      const to = machine.next(from, mover.tool);
      if (reached.has(to)) continue;
      if (reached.size === MAX_SEARCHED_STATES) return null;
      reached.set(to, { from, mover });
    }
  }
  return reached;
}

/** The calls that lead to a reached state, in order. */
function callsTo(target: string, reached: NonNullable<Reached>): StatePath["calls"] {
  const calls: StatePath["calls"][number][] = [];
  let to = target;
  for (let entered = reached.get(to); entered; entered = reached.get(to)) {
    calls.unshift({ ...entered.mover, to });
    to = entered.from;
  }
  return calls;
}
