import { objectOf } from "@/lib/calls/builtin/support/schemas";
import type { BuiltinTool } from "@/lib/calls/pipeline/contract";
import { evaluateExpression } from "@/lib/calls/builtin/expression";

/** Evaluates arithmetic without `eval`, because models calculate badly. */
export const calculate: BuiltinTool = {
  id: "builtin:calculate",
  name: "calculate",
  displayName: "Calculate",
  description:
    "Evaluates an arithmetic expression: + - * / % ^, parentheses, pi, e, and the functions abs, ceil, floor, round, sqrt, min, max, ln, log10, exp, sin, cos, tan.",
  guidance: "Use it for every calculation with more than one step instead of computing in your head.",
  category: "math",
  version: "1",
  tags: ["math"],
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  inputSchema: objectOf({
    expression: {
      type: "string",
      minLength: 1,
      maxLength: 1000,
      description: "For example `(19.99 * 3) * 1.19` or `sqrt(2) ^ 2`.",
    },
  }),
  outputSchema: objectOf({ value: { type: "number" } }),
  execute: (args) => {
    const result = evaluateExpression(String(args["expression"]));
    return "problem" in result ? { success: false, error: result.problem } : { success: true, output: result };
  },
};
