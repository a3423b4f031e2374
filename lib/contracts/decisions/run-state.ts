import { z } from "zod";

/** The state of work that runs in the background. The same request reads it again. */
export const runState = z.discriminatedUnion("state", [
  z.object({ state: z.literal("running"), done: z.int(), total: z.int() }),
  z.object({ state: z.literal("done") }),
  z.object({ state: z.literal("failed"), message: z.string() }),
]);

/** The state of work that runs in the background. */
export type RunState = z.output<typeof runState>;
