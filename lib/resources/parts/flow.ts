import { z } from "zod";
import { slug } from "@/lib/resources/parts/name";

/** A class of tools, such as `outward`. Classes need no definition: a rule and a tool name the same word. */
export const className = slug;

/** The labels that a caller holds, in a preview or an assertion. */
export const heldLabels = z.array(slug).max(100);

/** What a call of a tool reads, and what it can do (docs/reference/decision.md#flow). */
export const toolFlow = z.strictObject({
  raises: z.array(slug).max(20).default([]),
  is: z.array(className).max(20).default([]),
});
