"use client";

import { useState } from "react";

/** One call of a simulation: the tool, and the state before and after it. */
export interface Step {
  readonly tool: string;
  readonly from: string;
  readonly to: string;
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
