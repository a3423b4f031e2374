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

/** A label or class that an import guessed for a tool, and the annotation or method that it was guessed from. */
const flowGuess = z.strictObject({
  kind: z.enum(["raises", "is"]),
  word: slug,
  from: z.string().min(1).max(200),
});

/**
 * The guesses that nobody has confirmed or replaced; `null` = none; `[]` = none, because a person answered that the tool
 * has no flow (docs/reference/decision.md#flow-guesses).
 */
export const flowGuesses = z.array(flowGuess).max(20).nullable().default(null);
