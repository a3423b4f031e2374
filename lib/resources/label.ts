import { z } from "zod";
import { description, meta, slug } from "@/lib/resources/parts/name";

/** Most minutes for which a caller holds a label: one year. */
const MAX_HOLD_MINUTES = 525_600;

const fields = {
  name: slug,
  description: description.default(""),
  /** `run`: the session that called holds the label. `caller`: everything with the same issuer and subject holds it. */
  scope: z.enum(["run", "caller"]),
  /** Minutes after the last raise until the label ends; `null` = until a person clears it. */
  holdMinutes: z.int().min(1).max(MAX_HOLD_MINUTES).nullable().default(null),
};

/** A label that calls raise on their run or caller (docs/reference/decision.md#flow). */
export const labelInput = z
  .strictObject(fields)
  .refine((label) => label.scope === "caller" || label.holdMinutes === null, {
    path: ["holdMinutes"],
    message: "a label of a run ends with its session: omit this field, or choose the scope `caller`",
  });

/** A stored label. */
export const labelRow = z.object({ ...fields, ...meta });
