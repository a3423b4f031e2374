import { z } from "zod";
import { revisionNumber } from "@/lib/resources/parts/name";
import { reason, step } from "@/lib/contracts/decisions/preview";

/** `POST /api/admin/executions/{id}/replay`: under which revision to decide again; absent: the rules in force, now. */
export const replayInput = z.strictObject({ revision: revisionNumber.optional() }).prefault({});

/** What became of a call, as far as rules decide it: all else (schemas, scopes, limits, upstreams) is not replayed. */
const verdict = z.enum(["allowed", "arguments_refused", "hidden", "unknown_tool"]);

const decision = z.object({
  revision: z.int(),
  /** The time that the rules were asked for. */
  at: z.iso.datetime(),
  verdict,
  decidedBy: step.nullable(),
  reason: reason.nullable(),
  /** One sentence that names what decided. */
  detail: z.string(),
  /** Allowed: the policies that grant it; refused for its arguments: the one that refuses, where one does. */
  policies: z.array(z.string()),
});

/** A logged call, decided again from its own inputs. */
export const replayOutput = z.object({
  callId: z.string(),
  toolId: z.string(),
  /** As it stands in the log; a verdict of null: the rules had no part in it. */
  logged: z.object({
    revision: z.int(),
    at: z.iso.datetime(),
    verdict: verdict.nullable(),
    status: z.string(),
    code: z.string().nullable(),
    reason: z.string().nullable(),
  }),
  /** Under the call's own revision, at its own time. */
  original: decision,
  /** Under the revision asked for at the call's time, or under the rules in force at present. */
  replayed: decision,
  /** False when the arguments were erased, redacted or did not fit the tool: conditions on them are left out. */
  argumentsKnown: z.boolean(),
  /** Whether `original` is what the log says; null where the log says nothing of it. */
  reproduced: z.boolean().nullable(),
  /** Whether `replayed` is another answer than `original`. */
  differs: z.boolean(),
});

/** Under which rules. */
export type ReplayInput = z.output<typeof replayInput>;
/** A call decided again. */
export type ReplayOutput = z.output<typeof replayOutput>;
