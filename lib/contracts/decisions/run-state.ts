import { z } from "zod";

/** The state of work that runs in the background. Clients repeat the request until the work ends. */
export const runState = z.discriminatedUnion("state", [
  z.object({ state: z.literal("running"), done: z.int(), total: z.int() }),
  z.object({ state: z.literal("done") }),
  z.object({ state: z.literal("failed"), message: z.string() }),
]);

/** The state of work that runs in the background. */
export type RunState = z.output<typeof runState>;
