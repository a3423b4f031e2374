import { z } from "zod";

/** `GET /api/admin/machines/{name}/activity`: what runs do in a machine now, and what they did in the last 24 hours. */
export const machineActivity = z.object({
  /** Sessions that have not expired, by the state they are in; a state may be one that the machine has no more. */
  sessions: z.array(z.object({ state: z.string(), count: z.int() })),
  /** Successful calls by the transition that they took, by the rules now in force: those that were taken. */
  transitions: z.array(
    z.object({
      /** Its rule's place in the machine, from 0. */
      rule: z.int(),
      /** As the transition says it: `*` is any state. */
      from: z.string(),
      to: z.string(),
      count: z.int(),
    }),
  ),
  /** Calls that moved a run as no transition does any more: the rules, or the tools, were others then. */
  others: z.int(),
});

/** What runs do in a machine. */
export type MachineActivity = z.output<typeof machineActivity>;
