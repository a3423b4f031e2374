import { z } from "zod";
import { slug } from "@/lib/resources/parts/name";
import { EMAIL_SHAPE, REVIEW_MODES } from "@/lib/resources/parts/words";

const seconds = z.int().min(0).max(86_400);

/** Refuses unknown shapes: a misspelt shape would mask nothing, and nobody would notice. */
const masked = z
  .string()
  .min(1)
  .max(200)
  .refine((name) => name === EMAIL_SHAPE || !/^\s*shape:/i.test(name), `is no shape: there is \`${EMAIL_SHAPE}\``);

/** The installation's settings; absent parts have their default (docs/reference/decision.md#cost). */
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
  /** Hours after its last use at which an agent's session expires. */
  sessionHours: z
    .number()
    .min(0.01)
    .max(24 * 365)
    .default(24),
  /** Settings of calls that wait for a person's approval. */
  approvals: z
    .strictObject({
      /** True: every tool with side effects needs approval, not only tools that require it themselves. */
      sideEffects: z.boolean().default(false),
      /** Minutes that a call waits for an answer, and that a given approval stays valid. */
      minutes: z.int().min(1).max(1440).default(15),
    })
    .prefault({}),
  /** How MCP clients sign people in (docs/reference/client-sign-in.md). */
  clientSignIn: z
    .strictObject({
      /** False: only API keys and tokens of configured issuers open `/mcp`. Ends every token of a connection. */
      enabled: z.boolean().default(true),
      /** True: clients without a client document may register themselves (RFC 7591). */
      registration: z.boolean().default(false),
    })
    .prefault({}),
  /** Which changes of the configuration wait for a second person (docs/reference/governance.md#changes). */
  review: z
    .strictObject({
      /** `widening`: changes that are not proven to show and allow the same or less. `all`: every change. */
      changes: z.enum(REVIEW_MODES).default("off"),
      /** Hours after which a change that was applied without review is reverted, unless a second person confirms it. */
      bypassHours: z.int().min(1).max(72).default(4),
    })
    .prefault({}),
  /** Additional redaction before storage: key names, dotted paths, and `shape:email` for e-mail addresses. */
  redact: z.array(masked).max(500).default([]),
  /** When the log drops rows automatically (docs/reference/log.md#rows; docs/audit.md, Retention); `null` = never. */
  retention: z
    .strictObject({
      /**
       * Whole months to keep besides the current one; older months are archived and dropped. 14 months are at least 400
       * days.
       */
      months: z.int().min(1).max(120).nullable().default(14),
      /** Days after which arguments and results are erased. */
      bodyDays: z.int().min(1).max(3650).nullable().default(null),
      /** Whether archives hold bodies. An erasure does not reach the bodies in an archive. */
      archiveBodies: z.boolean().default(false),
    })
    .prefault({}),
});

/** The answer of `/api/admin/settings`: `version` is the ETag, 0 until the settings first change. */
export const settingsOutput = settingsInput.extend({ version: z.int() });

/** Settings, normalised. */
export type SettingsInput = z.output<typeof settingsInput>;
