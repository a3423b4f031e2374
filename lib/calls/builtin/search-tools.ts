import { objectOf } from "@/lib/calls/builtin/support/schemas";
import type { BuiltinTool } from "@/lib/calls/pipeline/contract";
import { searchInParts } from "@/lib/calls/pipeline/search";
import { runInTurns } from "@/lib/store/db/in-turns";

/** Searches the caller's own list, so that hidden tools are not found. */
export const searchTools: BuiltinTool = {
  id: "builtin:search_tools",
  name: "search_tools",
  displayName: "Search tools",
  description: "Searches the tools that you may use, by words in their name, description, tags and category.",
  guidance: "Use it when you have many tools and are not sure which one fits.",
  category: "tools",
  version: "1",
  tags: ["tools"],
  annotations: { readOnlyHint: true, openWorldHint: false },
  inputSchema: objectOf(
    {
      query: { type: "string", minLength: 1, maxLength: 200 },
      limit: { type: "integer", minimum: 1, maximum: 50 },
    },
    ["limit"],
  ),
  outputSchema: objectOf({
    count: { type: "integer" },
    results: {
      type: "array",
      items: objectOf({ tool_id: { type: "string" }, name: { type: "string" }, description: { type: "string" } }),
    },
  }),
  execute: async (args, { visibleTools }) => {
    const limit = typeof args["limit"] === "number" ? args["limit"] : undefined;
    const found = await runInTurns(searchInParts(visibleTools(), String(args["query"]), limit));
    const results = found.map(({ id, name, description }) => ({ tool_id: id, name, description }));
    return { success: true, output: { count: results.length, results } };
  },
};
