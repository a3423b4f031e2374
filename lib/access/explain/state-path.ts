import type { Index } from "@/lib/access/compile/compile";
import type { CompiledMachine } from "@/lib/access/compile/machines";
import { toolAt } from "@/lib/access/decide/entries";
import { makePlan } from "@/lib/access/decide/plan";
import { STEPS, type ResolveRequest, type StatePath } from "@/lib/access/decide/resolution";
import { judgeStep } from "@/lib/access/explain/steps";
import type { Tool } from "@/lib/access/model/configuration";

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
 * Returns the state path of each tool (by id): the fewest calls that lead from the present state to one in which the tool
 * is available (docs/reference/decision.md#state-path). `null` for a tool that is available now, and when the tools name
 * too many states. Searches the machine at most twice, for any number of tools.
 */
export function statePathByTool(
  index: Index,
  request: ResolveRequest,
  now: number,
): (toolId: string) => StatePath | null {
  // A list may keep disabled tools, but nobody can call them.
  const plan = makePlan(index, { ...request, includeDisabled: false }, now);
  const mayCall = (number: number) => STEPS.every((step) => step === "state" || judgeStep(plan, step, number) === null);
  const machine = index.machines.get(request.machine);
  let searches: readonly Reached[] | undefined;
  return (toolId) => {
    const number = index.tools.numberOf.get(toolId);
    if (machine === undefined || number === undefined || judgeStep(plan, "state", number) === null) return null;
    searches ??= search(plan.state, machine, moversOf(index, machine, mayCall));
    const states = new Set(machine.statesOf(toolAt(index, number)));
    for (const reached of searches) {
      if (reached === null) return null;
      const target = [...reached.keys()].find((state) => states.has(state));
      if (target !== undefined) return { from: plan.state, calls: callsTo(target, reached) };
    }
    return { from: plan.state, calls: [] };
  };
}

/** The states that calls of the caller reach, then, where that differs, those that calls of any caller reach. */
function search(start: string, machine: CompiledMachine, movers: readonly Mover[]): readonly Reached[] {
  const callable = movers.filter(({ hidden }) => !hidden);
  return (callable.length === movers.length ? [movers] : [callable, movers]).map((tried) =>
    reachedBy(start, machine, tried),
  );
}

/** One mover for each way to move, so that a selector rule counts once, however many tools it matches. */
function moversOf(
  { tools }: Index,
  { moverOf }: CompiledMachine,
  mayCall: (number: number) => boolean,
): readonly Mover[] {
  const movers = new Map<object, Mover>();
  for (const [number, tool] of tools.all.entries()) {
    const key = moverOf(tool);
    if (key === null || movers.get(key)?.hidden === false) continue;
    const hidden = !mayCall(number);
    if (!hidden || !movers.has(key)) movers.set(key, { tool, hidden });
  }
  return [...movers.values()];
}

/** Searches breadth first over successful calls. */
function reachedBy(start: string, machine: CompiledMachine, movers: readonly Mover[]): Reached {
  const reached: Map<string, { from: string; mover: Mover } | null> = new Map([[start, null]]);
  for (const from of reached.keys())
    for (const mover of movers) {
      const to = machine.next(from, mover.tool);
      if (reached.has(to)) continue;
      if (reached.size === MAX_SEARCHED_STATES) return null;
      reached.set(to, { from, mover });
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
