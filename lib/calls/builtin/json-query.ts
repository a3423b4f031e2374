import { objectOf } from "@/lib/calls/builtin/support/schemas";
import { queryJson } from "@/lib/calls/builtin/query-json";
import type { BuiltinTool } from "@/lib/calls/pipeline/contract";

/** JMESPath over a document that the caller hands in. */
export const jsonQuery: BuiltinTool = {
  id: "builtin:json_query",
  name: "json_query",
  displayName: "Query JSON",
  description: "Takes values out of a JSON document with a JMESPath expression.",
  guidance: "Use it to filter or reshape a large result before you reason about it.",
  category: "data",
  version: "1",
  tags: ["data"],
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  inputSchema: objectOf({
    document: { description: "The JSON document." },
    expression: {
      type: "string",
      minLength: 1,
      maxLength: 2000,
      description: "JMESPath, such as `orders[?total > `100`].id`.",
    },
  }),
  outputSchema: objectOf({ result: {} }),
  execute: async (args, { signal }) => {
    const answer = await queryJson(args["document"] ?? null, String(args["expression"]), signal);
    return "problem" in answer ? { success: false, error: answer.problem } : { success: true, output: answer };
  },
};
