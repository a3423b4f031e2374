import { z } from "zod";
import { bulkRows } from "@/lib/contracts/changes/bulk";
import { flowGuessAnswer, MAX_ANSWERED } from "@/lib/contracts/sources/flow-guess";
import { runState } from "@/lib/contracts/decisions/run-state";
import { ON_CALLS } from "@/lib/resources/impacts";
import { toolId } from "@/lib/resources/parts/name";

/** The most calls that an answer names for one change; it counts all of them. */
export const MAX_NAMED_CALLS = 100;
/** The most calls that a replay reads: the latest of its window. */
export const MAX_REPLAYED_CALLS = 100_000;

/**
 * `POST /api/admin/flow-impact` (docs/reference/decision.md#flow-impact): an unsaved row, unsaved answers to guesses or
 * unsaved guesses, to replay on the calls of the window. A row without `id` is new, without `input` it is deleted.
 */
export const flowImpactInput = z
  .strictObject({
    resource: z.enum(ON_CALLS).optional(),
    id: z.string().min(1).max(200).optional(),
    input: z.record(z.string(), z.unknown()).optional(),
    /** An answer to the guesses of these tools, as in `POST /api/admin/flow-guesses/answer`. */
    answer: z
      .strictObject({ ids: z.array(toolId).min(1).max(MAX_ANSWERED), flow: flowGuessAnswer.shape.flow })
      .optional(),
    /** The tools that get a guess, as in `POST /api/admin/bulk/tools` with `guess_flow`. */
    guess: bulkRows.optional(),
    /** The window in days. */
    days: z.int().min(1).max(90).default(30),
  })
  .superRefine(({ resource, id, input, answer, guess }, context) => {
    const refuse = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
    if ([resource, answer, guess].filter((one) => one !== undefined).length !== 1)
      refuse("resource", "state `resource`, `answer` or `guess`");
    else if (resource === undefined && (id !== undefined || input !== undefined))
      refuse(id === undefined ? "input" : "id", "omit it: only a row has `id` and `input`");
    else if (resource !== undefined && id === undefined && input === undefined)
      refuse("input", "state `input`, or `id` for a deletion");
  });

/** A label that was held at a call, and the call that raised it. */
const raised = z.object({
  label: z.string(),
  callId: z.string(),
  toolId: z.string(),
  at: z.iso.datetime(),
});

/** A logged call that the change decides differently. */
const flowImpactCall = z.object({
  callId: z.string(),
  at: z.iso.datetime(),
  toolId: z.string(),
  /** The agent, else the subject. */
  who: z.string(),
  /** The rules that stop the call, after the change or only before it. */
  rules: z.array(z.string()),
  raisedBy: z.array(raised),
});

/** Calls: their number, and the latest of them. */
const changedCalls = z.object({ count: z.int(), calls: z.array(flowImpactCall) });

/** What the change does to the replayed calls. */
const flowImpactResult = z.object({
  /** The calls that ran, or that a flow rule refused. */
  calls: z.int(),
  /** When the first of them began; `null` = there are none. */
  since: z.iso.datetime().nullable(),
  /** Whether the window has more calls than a replay reads. Then only the latest were replayed. */
  more: z.boolean(),
  /** Would be refused. */
  stopped: changedCalls,
  /** Would wait for an approval. */
  waiting: changedCalls,
  /** Would no longer be refused, or no longer wait. */
  allowed: changedCalls,
  /** Calls of tools that no longer exist. No rule restricts them. */
  unknownTools: z.int(),
});

/** The replay: it runs in the background, and the same request reads it again. */
export const flowImpactOutput = z.object({
  /** The revision that the row is compared with. */
  revision: z.int(),
  days: z.int(),
  replay: runState,
  /** `null` until the replay is done. */
  result: flowImpactResult.nullable(),
});

/** An unsaved row to replay. */
export type FlowImpactInput = z.output<typeof flowImpactInput>;
/** One call that the change decides differently. */
export type FlowImpactCall = z.output<typeof flowImpactCall>;
/** What the change does to the replayed calls. */
export type FlowImpactResult = z.output<typeof flowImpactResult>;
/** A replay and its result. */
export type FlowImpactOutput = z.output<typeof flowImpactOutput>;
