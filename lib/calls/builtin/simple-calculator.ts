import type { BuiltinTool } from "@/lib/calls/pipeline/contract";

const OPERATIONS: Readonly<Record<string, (num1: number, num2: number) => number>> = {
  add: (num1, num2) => num1 + num2,
  subtract: (num1, num2) => num1 - num2,
  multiply: (num1, num2) => num1 * num2,
  divide: (num1, num2) => num1 / num2,
};

/** One arithmetic operation on two numbers: the worked example of the tool contract in docs/adding.md. */
export const simpleCalculator: BuiltinTool = {
  id: "builtin:simple_calculator",
  name: "simple_calculator",
  displayName: "Simple Calculator",
  description: "Adds, subtracts, multiplies or divides two numbers.",
  guidance: "Use it for one operation on two numbers. Use `calculate` for an expression with several steps.",
  category: "math",
  version: "1",
  tags: ["math"],
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  inputSchema: {
    type: "object",
    properties: {
      operation: { type: "string", enum: Object.keys(OPERATIONS), description: "The operation: `num1` comes first." },
      num1: { type: "number", description: "The first number." },
      num2: { type: "number", description: "The second number." },
    },
    required: ["operation", "num1", "num2"],
    additionalProperties: false,
  },
  outputSchema: {
    type: "object",
    properties: { result: { type: "number" } },
    required: ["result"],
    additionalProperties: false,
  },
  execute: (args) => {
    const { operation, num1, num2 } = args as { operation: string; num1: number; num2: number };
    const result = OPERATIONS[operation]?.(num1, num2);
    // JSON has no infinity: a quotient by zero and a product that is too large are failures.
    if (result !== undefined && Number.isFinite(result)) return { success: true, output: { result } };
    const isByZero = operation === "divide" && num2 === 0;
    const error = isByZero ? "Division by zero has no result." : "The result is too large for a number.";
    return { success: false, error, details: { operation, num1, num2 } };
  },
};
