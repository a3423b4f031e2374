import { search } from "@jmespath-community/jmespath";
import type { Json } from "@/lib/access/configuration";
import type { BuiltinTool } from "@/lib/tools/contract";

const MAX_OUTPUT_BYTES = 256 * 1024;

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
  inputSchema: {
    type: "object",
    properties: {
      document: { description: "The JSON document." },
      expression: {
        type: "string",
        minLength: 1,
        maxLength: 2000,
        description: "JMESPath, such as `orders[?total > `100`].id`.",
      },
    },
    required: ["document", "expression"],
    additionalProperties: false,
  },
  outputSchema: {
    type: "object",
    properties: { result: {} },
    required: ["result"],
    additionalProperties: false,
  },
  execute: (args) => {
    let result: Json;
    try {
      result = (search(args["document"] as never, String(args["expression"])) ?? null) as Json;
    } catch (error) {
      const message = error instanceof Error ? error.message : "it cannot be evaluated";
      return { success: false, error: `The expression does not work: ${message.slice(0, 300)}` };
    }
    if (Buffer.byteLength(JSON.stringify(result)) > MAX_OUTPUT_BYTES)
      return { success: false, error: "The result is larger than 256 KiB: ask for less." };
    return { success: true, output: { result } };
  },
};
