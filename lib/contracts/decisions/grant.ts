import { z } from "zod";
import { groupInput } from "@/lib/resources/group";
import { policyInput } from "@/lib/resources/policy";

/**
 * One way to give a caller a tool. Saved unchanged, as one configuration document, it allows the call, unless changes
 * are `remaining`.
 */
export const grantOutput = z.object({
  /** The new group that the policy grants, which holds the tool alone; null when the policy grants a stored group. */
  group: groupInput.nullable(),
  /** A policy for this caller alone. */
  policy: policyInput,
  /** Other tools that the caller would also get. */
  brings: z.array(z.string()),
  /** The changes that are also needed, which no policy can make. */
  remaining: z.array(z.string()),
});

/** One way to give a caller a tool. */
export type GrantOutput = z.output<typeof grantOutput>;
