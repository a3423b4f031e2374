import { z } from "zod";
import { OPERATORS } from "@/lib/access/model/matcher";
import { problemOfStoredMatcher } from "@/lib/access/matching/compiled-matcher";
import { ONE_OF_OPERATORS } from "@/lib/access/matching/operators";

/**
 * One matcher as an admin writes it; `problemOfStoredMatcher` says what the operator cannot use. A save refuses more in new
 * conditions (lib/config/refused-forms.ts).
 */
export const matcherInput = z
  .strictObject({
    claim: z.string().min(1, "enter what to compare").max(256),
    operator: z.enum(OPERATORS, {
      error: ({ input }) => `${input === undefined ? "is missing" : "unknown operator"}: use ${ONE_OF_OPERATORS}`,
    }),
    value: z.json().default(null),
    ignoreCase: z.boolean().default(false),
  })
  .superRefine((matcher, context) => {
    const problem = problemOfStoredMatcher(matcher);
    if (problem !== null) context.addIssue({ code: "custom", message: problem, path: ["value"] });
  });
