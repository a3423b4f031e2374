import { z } from "zod";
import { slug } from "@/lib/resources/parts/name";
import { EMAIL_SHAPE } from "@/lib/resources/parts/words";

const seconds = z.int().min(0).max(86_400);

/** A misspelt shape would mask nothing, and nobody would see it. */
const masked = z
  .string()
  .min(1)
  .max(200)
  .refine((name) => !name.startsWith("shape:") || name === EMAIL_SHAPE, `is no shape: there is \`${EMAIL_SHAPE}\``);

/** The installation's settings; parts left out have their default (docs/reference/decision.md#cost). */
export const settingsInput = z.strictObject({
  routing: z
    .strictObject({
      high: z.number().min(0).max(1).default(0.8),
      medium: z.number().min(0).max(1).default(0.6),
      mode: z.enum(["conservative", "strict"]).default("conservative"),
      resolutionGroups: z.array(slug).max(100).default(["resolution"]),
      alwaysGroups: z.array(slug).max(100).default([]),
    })
    .refine((routing) => routing.high > routing.medium, { path: ["high"], message: "must be greater than `medium`" })
    .prefault({}),
  openStart: z.boolean().default(true),
  cache: z.strictObject({ accessSeconds: seconds.default(300), groupSeconds: seconds.default(600) }).prefault({}),
  /** Hours after last use at which an agent's session expires. */
  sessionHours: z
    .number()
    .min(0.01)
    .max(24 * 365)
    .default(24),
  /** Calls that wait for a person's approval. */
  approvals: z
    .strictObject({
      /** Every tool with side effects asks for one, not only those that say so themselves. */
      sideEffects: z.boolean().default(false),
      /** How long a call waits for an answer, and how long an approval that was given is good. */
      minutes: z.int().min(1).max(1440).default(15),
    })
    .prefault({}),
  /** What is redacted before storage besides what always is: key names, dotted paths, and `shape:email` for e-mail addresses. */
  redact: z.array(masked).max(500).default([]),
  /** What leaves the log by itself (docs/reference/log.md#rows; docs/audit.md, Retention); `null` = nothing. */
  retention: z
    .strictObject({
      /** Whole months that are kept besides the present one: older ones are archived and dropped. 14 are 400 days at least. */
      months: z.int().min(1).max(120).nullable().default(14),
      /** Days after which arguments and results are erased. */
      bodyDays: z.int().min(1).max(3650).nullable().default(null),
      /** Whether archives hold bodies: what is in one, an erasure does not reach. */
      archiveBodies: z.boolean().default(false),
    })
    .prefault({}),
});

/** The answer of `/api/admin/settings`: `version` is the ETag, 0 until they are first changed. */
export const settingsOutput = settingsInput.extend({ version: z.int() });

/** Settings, normalised. */
export type SettingsInput = z.output<typeof settingsInput>;
