import { z } from "zod";
import { revisionNumber } from "@/lib/resources/parts/name";
import { reason, step } from "@/lib/contracts/decisions/preview";

/** `POST /api/admin/executions/{id}/replay`: the revision to decide under; absent: the current rules, now. */
export const replayInput = z.strictObject({ revision: revisionNumber.optional() }).prefault({});

/** The part of a call's outcome that rules decide. Schemas, scopes, limits and upstreams are not replayed. */
const verdict = z.enum(["allowed", "arguments_refused", "hidden", "unknown_tool"]);

const decision = z.object({
  revision: z.int(),
  /** The time of the decision. */
  at: z.iso.datetime(),
  verdict,
  decidedBy: step.nullable(),
  reason: reason.nullable(),
  /** One sentence that names the deciding rule. */
  detail: z.string(),
  /** Allowed: the policies that grant the tool. Refused for its arguments: the refusing policy, if any. */
  policies: z.array(z.string()),
});

/** A logged call, decided again from its own inputs. */
export const replayOutput = z.object({
  callId: z.string(),
  toolId: z.string(),
  /** The logged decision; a null verdict means that the rules did not decide. */
  logged: z.object({
    revision: z.int(),
    at: z.iso.datetime(),
    verdict: verdict.nullable(),
    status: z.string(),
    code: z.string().nullable(),
    reason: z.string().nullable(),
  }),
  /** The decision under the call's own revision, at its own time. */
  original: decision,
  /** The decision under the requested revision at the call's time, or under the current rules now. */
  replayed: decision,
  /**
   * False when the arguments were erased, redacted or did not match the tool's schema: their conditions are then
   * ignored.
   */
  argumentsKnown: z.boolean(),
  /** Whether `original` equals the logged decision; null when the log has no verdict. */
  reproduced: z.boolean().nullable(),
  /** Whether `replayed` differs from `original`. */
  differs: z.boolean(),
});

/** The revision to replay under. */
export type ReplayInput = z.output<typeof replayInput>;
/** A call decided again. */
export type ReplayOutput = z.output<typeof replayOutput>;
