import { useState } from "react";

/** One call of a simulation: the tool, the state before and after it, and the labels that it raises. */
export interface Step {
  readonly tool: string;
  readonly from: string;
  readonly to: string;
  readonly raises: readonly string[];
}

/** The labels that are held after some calls, sorted, when `stated` ones were held before. */
export function heldAfter(stated: readonly string[], calls: readonly Step[]): readonly string[] {
  return [...new Set([...stated, ...calls.flatMap(({ raises }) => raises)])].toSorted();
}

/** The simulated calls, and the state after them. */
export function useSimulation(initial: string) {
  const [trail, setTrail] = useState<readonly Step[]>([]);
  const start = trail[0]?.from ?? initial;
  return {
    trail,
    start,
    state: trail.at(-1)?.to ?? start,
    press: (step: Step) => setTrail([...trail, step]),
    undo: () => setTrail(trail.slice(0, -1)),
    reset: () => setTrail([]),
  };
}
