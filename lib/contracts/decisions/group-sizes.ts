import { z } from "zod";

/** How many tools each stored tool group contains. */
export const groupSizes = z.object({ items: z.array(z.object({ name: z.string(), tools: z.int() })) });

/** How many tools each stored tool group contains. */
export type GroupSizes = z.output<typeof groupSizes>;
