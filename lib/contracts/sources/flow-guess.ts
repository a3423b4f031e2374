import { z } from "zod";
import { listQuery, pageOf } from "@/lib/contracts/changes/list";
import { flowGuesses, toolFlow } from "@/lib/resources/parts/flow";
import { revisionNumber, toolId } from "@/lib/resources/parts/name";

/** A tool with a guessed flow that nobody has confirmed or replaced (docs/reference/decision.md#flow-guesses). */
const flowGuessItem = z.object({
  id: toolId,
  source: z.string(),
  name: z.string(),
  description: z.string(),
  method: z.string().nullable(),
  hasSideEffects: z.boolean(),
  /** The flow that a person stated. The guess is added to it. */
  flow: toolFlow,
  flowGuess: flowGuesses,
  /** The revision that last wrote the tool. An answer states it. */
  revision: z.int(),
});

/** `GET /api/admin/flow-guesses`: a page of tools with a guess. */
export const flowGuessPage = pageOf(flowGuessItem).extend({
  /** The number of imported tools that state no flow and were never guessed. The bulk change `guess_flow` guesses them. */
  unguessed: z.int(),
});

/** The most tools that one answer may name. For more, use a query. */
export const MAX_ANSWERED = 2_000;

/** `POST /api/admin/flow-guesses/answer`: confirms or replaces the guesses of many tools, all or none. */
export const flowGuessAnswer = z.strictObject({
  /** The tools: those that a person has seen, or all that match the list's search and filters. */
  rows: z.union([
    /** Each with the revision in which it was seen: an answer replaces no flow and confirms no guess that changed since. */
    z.strictObject({
      items: z
        .array(z.strictObject({ id: toolId, revision: revisionNumber }))
        .min(1)
        .max(MAX_ANSWERED)
        .refine((items) => new Set(items.map(({ id }) => id)).size === items.length, "a tool is named twice"),
    }),
    /** As in the list's address: `q` and filters; `{}` means every guess. */
    z.strictObject({ query: listQuery.pick({ q: true }) }),
  ]),
  /** The flow that replaces the guess; `null` = the guess is right, and becomes part of the tool's flow. */
  flow: toolFlow.nullable(),
});

/** The new revision, and the number of answered tools. */
export const flowGuessAnswered = z.object({ revision: z.int(), answered: z.int() });

/** A page of tools with a guess. */
export type FlowGuessPage = z.output<typeof flowGuessPage>;
/** A tool with a guess. */
export type FlowGuessItem = z.output<typeof flowGuessItem>;
/** A person's answer to guesses. */
export type FlowGuessAnswer = z.output<typeof flowGuessAnswer>;
/** The result of an answer. */
export type FlowGuessAnswered = z.output<typeof flowGuessAnswered>;
