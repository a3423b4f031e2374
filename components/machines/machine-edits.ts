import type { GraphEdge, GraphNode } from "@/components/machines/graph-model";
import type { Draft } from "@/components/resource/editor/draft";
import type { Input } from "@/lib/resources";

type Machine = Input<"machines">;

/** Copies an edited machine into the draft: the fields that the graph and the table can change. */
export function applyEdit(draft: Draft<Machine>, edited: Machine): void {
  for (const key of ["states", "initial", "rules"] as const)
    if (edited[key] !== draft.value[key]) draft.set(key, edited[key]);
}

/** The machine with one more state, under the first name that is free: `state-2`. */
export function addState(machine: Machine, wanted?: string): { readonly machine: Machine; readonly name: string } {
  const taken = new Set(machine.states.map((state) => state.name));
  let number = machine.states.length + 1;
  while (taken.has(`state-${number}`)) number += 1;
  const name = wanted ?? `state-${number}`;
  const state = { name, description: "", colour: null, terminal: false };
  return { machine: { ...machine, states: [...machine.states, state] }, name };
}

/**
 * Adds a transition from one state (`*` = every state) to another by a successful call of a tool. The tool becomes available in the
 * first state, unless that is `*`. If the tool has no rule, a new rule makes it available in that state only.
 */
export function addTransition(
  machine: Machine,
  { tool, from, to }: { readonly tool: string; readonly from: string; readonly to: string },
): Machine {
  const index = machine.rules.findIndex((rule) => rule.tool === tool);
  const rule = machine.rules[index];
  if (rule === undefined) {
    const availableIn = from === "*" ? null : [from];
    return {
      ...machine,
      rules: [...machine.rules, { tool, selector: null, availableIn, transitions: [{ from, to }] }],
    };
  }
  const { availableIn } = rule;
  const everywhere = availableIn === null || from === "*" || availableIn.some((name) => name === from || name === "*");
  // A rule has one way out of each state: the new one takes the place of the old.
  const others = rule.transitions.filter((transition) => transition.from !== from);
  const changed = {
    ...rule,
    availableIn: everywhere ? availableIn : [...availableIn, from],
    transitions: [...others, { from, to }],
  };
  return { ...machine, rules: machine.rules.toSpliced(index, 1, changed) };
}

/** The machine without some transitions, each named by its index. Their rules stay, because they also say where tools are available. */
export function removeTransitions(
  machine: Machine,
  gone: readonly { readonly rule: number; readonly transition: number }[],
): Machine {
  const isGone = (rule: number, transition: number) =>
    gone.some((one) => one.rule === rule && one.transition === transition);
  return {
    ...machine,
    rules: machine.rules.map((rule, index) =>
      gone.some((one) => one.rule === index)
        ? { ...rule, transitions: rule.transitions.filter((_, at) => !isGone(index, at)) }
        : rule,
    ),
  };
}

/**
 * The machine without one place of its graph. Transitions to a deleted state stay and are marked as broken, because a
 * person wrote them. A state that only transitions name goes with these transitions.
 */
export function removeNode(machine: Machine, { id, kind, name }: GraphNode, edges: readonly GraphEdge[]): Machine {
  if (kind === "any") return machine;
  if (kind === "state") return { ...machine, states: machine.states.filter((state) => state.name !== name) };
  return removeTransitions(
    machine,
    edges.filter(({ source, target }) => source === id || target === id).flatMap(({ moves }) => moves),
  );
}

/**
 * Renames a state and every reference to it. If another state has the new name, the references stay: otherwise the two
 * states would merge, and undoing the rename could not separate them.
 */
export function renameState(machine: Machine, index: number, name: string): Machine {
  const before = machine.states[index]?.name ?? "";
  const states = machine.states.map((state, at) => (at === index ? { ...state, name } : state));
  const shared = machine.states.some((state, at) => at !== index && (state.name === name || state.name === before));
  if (shared || before === "" || name === "") return { ...machine, states };
  const renamed = (state: string) => (state === before ? name : state);
  return {
    ...machine,
    states,
    initial: renamed(machine.initial),
    rules: machine.rules.map((rule) => ({
      ...rule,
      availableIn: rule.availableIn === null ? null : rule.availableIn.map(renamed),
      transitions: rule.transitions.map(({ from, to }) => ({ from: renamed(from), to: renamed(to) })),
    })),
  };
}

/** The list with the item at `index` moved by one place; at either end it stays. */
export function moveItem<T>(list: readonly T[], index: number, by: -1 | 1): T[] {
  const item = list[index];
  const to = index + by;
  if (item === undefined || to < 0 || to >= list.length) return [...list];
  return list.toSpliced(index, 1).toSpliced(to, 0, item);
}
