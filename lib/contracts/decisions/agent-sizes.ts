import { z } from "zod";

/** How many tools each registered agent sees. */
export const agentSizes = z.object({
  items: z.array(
    z.object({
      name: z.string(),
      /** The fewest and the most tools in any state of its machine; equal without a machine. */
      fewest: z.int(),
      most: z.int(),
    }),
  ),
});

/** How many tools each registered agent sees. */
export type AgentSizes = z.output<typeof agentSizes>;
