import { z } from "zod";

/**
 * `GET /api/admin/machines/{name}/activity`: the sessions in a machine now, and the transitions of the last 24 hours.
 */
export const machineActivity = z.object({
  /** Live sessions by state. A state may no longer exist in the machine. */
  sessions: z.array(z.object({ state: z.string(), count: z.int() })),
  /** Successful calls by the transition that they took under the current rules; unused transitions are left out. */
  transitions: z.array(
    z.object({
      /** The index of the rule in the machine, from 0. */
      rule: z.int(),
      /** The transition's `from`; `*` is any state. */
      from: z.string(),
      to: z.string(),
      count: z.int(),
    }),
  ),
  /** Calls that changed the state as no current transition does: the rules or tools have changed since. */
  others: z.int(),
});

/** The activity in a machine. */
export type MachineActivity = z.output<typeof machineActivity>;
