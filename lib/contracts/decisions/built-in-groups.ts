import { z } from "zod";
import { EFFECTS } from "@/lib/resources/policy";
import { toolId } from "@/lib/resources/parts/name";

/** The most members that an answer names for each group. */
export const MAX_MEMBERS_NAMED = 100;

/** The groups that exist without a row: `default` and `(ungrouped)`, with their members and the policies that name them. */
export const builtInGroups = z.object({
  items: z.array(
    z.object({
      name: z.enum(["default", "(ungrouped)"]),
      /** One sentence: which tools it contains. */
      description: z.string(),
      /** The number of members, and the first of them by id. */
      count: z.int(),
      members: z.array(toolId),
      /** Active policies that grant or deny it, by `default` or `"*"`. */
      policies: z.array(z.object({ name: z.string(), effect: z.enum(EFFECTS) })),
    }),
  ),
});

/** The built-in groups. */
export type BuiltInGroups = z.output<typeof builtInGroups>;
