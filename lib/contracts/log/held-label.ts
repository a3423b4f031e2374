import { z } from "zod";

/** One run or caller that holds a label, and the call that raised it first. */
const heldLabelRow = z.object({
  issuer: z.string(),
  subject: z.string(),
  /** The session that holds the label; `null` = the caller. */
  session: z.string().nullable(),
  callId: z.string(),
  toolId: z.string(),
  at: z.iso.datetime(),
  /** When the label ends; `null` = with its session, or when a person clears it. */
  until: z.iso.datetime().nullable(),
  /** The time of the latest call that raised it. */
  lastAt: z.iso.datetime(),
  /** Whether the holder is the reader's own caller or agent, so that another person must clear the label. */
  own: z.boolean(),
});

/** A label that a decision read, and the call that raised it. */
export const raisedLabel = z.object({
  label: z.string(),
  callId: z.string(),
  toolId: z.string(),
  at: z.iso.datetime(),
});

/** `GET /api/admin/labels/{name}/held`: the latest holders of a label. */
export const heldLabelList = z.object({
  items: z.array(heldLabelRow),
  /** Whether there are more holders than these. */
  more: z.boolean(),
});

/** The query of `GET /api/admin/held-labels`: one agent, or one session with its caller. */
export const holderQuery = z
  .strictObject({ agent: z.string().min(1).max(64).optional(), session: z.string().min(1).max(64).optional() })
  .refine(({ agent, session }) => (agent === undefined) !== (session === undefined), {
    path: ["agent"],
    message: "state either `agent` or `session`",
  });

/** A label that calls of a session raised, from the first of them until its end. */
const labelSpan = z.object({
  label: z.string(),
  scope: z.enum(["run", "caller"]),
  /** The first call that raised it. */
  callId: z.string(),
  toolId: z.string(),
  at: z.iso.datetime(),
  /** How many calls of the session raised it in this time. */
  calls: z.int(),
  /** Whether the result of the call raised it, because it ended or was cleared while the call ran. */
  byResult: z.boolean(),
  /** When it ends by these calls; `null` = with the session, or when a person clears it. */
  until: z.iso.datetime().nullable(),
  /** When a person cleared it, and who. */
  cleared: z.object({ at: z.iso.datetime(), by: z.string() }).nullable(),
});

/** `GET /api/admin/held-labels`: the labels that one agent or session holds. */
export const labelsOfHolder = z.object({
  items: z.array(heldLabelRow.extend({ label: z.string() })),
  /** Whether there are more labels than these. */
  more: z.boolean(),
  /** What the logged calls of a session raised, in order; empty for an agent. */
  history: z.array(labelSpan),
});

/** `POST /api/admin/labels/{name}/clear`: takes a label from one run or caller. */
export const clearLabelInput = z.strictObject({
  issuer: z.string().min(1).max(2048),
  subject: z.string().min(1).max(2048),
  /** `null`: the caller's own label. */
  session: z.string().max(200).nullable().default(null),
  /** `lastAt` as the person saw it: a label that a later call raised is `stale` and stays. Absent = it is cleared anyway. */
  lastAt: z.iso.datetime().optional(),
  /** Why the label no longer applies; the audit trail shows it. */
  reason: z.string().trim().min(1, "say why the label no longer applies").max(500),
});

/** A label, and the call that raised it. */
export type RaisedLabelRow = z.output<typeof raisedLabel>;
/** One holder of a label. */
export type HeldLabelRow = z.output<typeof heldLabelRow>;
/** One label of a holder. */
export type LabelOfHolder = z.output<typeof labelsOfHolder>["items"][number];
/** A label that calls of a session raised. */
export type LabelSpan = z.output<typeof labelSpan>;
/** The labels of a holder. */
export type LabelsOfHolder = z.output<typeof labelsOfHolder>;
/** The query of a holder's labels. */
export type HolderQuery = z.output<typeof holderQuery>;
/** The holder from which to take a label. */
export type ClearLabelInput = z.output<typeof clearLabelInput>;
