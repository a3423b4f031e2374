import type { Input } from "@/lib/resources";

type Machine = Input<"machines">;

/**
 * Another name for a state, followed by everything that names it. Where the name is another state's the
 * others stay: two states would become one, and nobody could take them apart again.
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
export function moved<T>(list: readonly T[], index: number, by: -1 | 1): T[] {
  const item = list[index];
  const to = index + by;
  if (item === undefined || to < 0 || to >= list.length) return [...list];
  return list.toSpliced(index, 1).toSpliced(to, 0, item);
}
