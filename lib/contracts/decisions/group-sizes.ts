import { z } from "zod";

/** How many tools each stored tool group contains. */
export const groupSizes = z.object({
  items: z.array(
    z.object({
      name: z.string(),
      tools: z.int(),
      /** Members that name the group themselves, in their field `groups`. Selectors or inclusions may match them too. */
      assigned: z.int(),
    }),
  ),
});

/** How many tools each stored tool group contains. */
export type GroupSizes = z.output<typeof groupSizes>;
