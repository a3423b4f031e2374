import { z } from "zod";
import { problemOfPattern } from "@/lib/access/matching/patterns";

const pattern = z
  .string()
  .max(512)
  .superRefine((text, context) => {
    const problem = text === "" ? null : problemOfPattern(text);
    if (problem !== null) context.addIssue({ code: "custom", message: problem });
  })
  .nullable()
  .default(null);

const words = z.array(z.string().min(1).max(200)).max(100).default([]);

/** Tools with or without a trait; `null` = both. */
const trait = z.boolean().nullable().default(null);

/** A pattern over a tool's facts; absent parts are not checked (docs/reference/decision.md#group). */
export const selectorInput = z.strictObject({
  source: pattern,
  name: pattern,
  path: pattern,
  method: pattern,
  requiredTags: words,
  excludedTags: words,
  requiredLabels: words,
  readOnly: trait,
  hasSideEffects: trait,
  destructive: trait,
});
