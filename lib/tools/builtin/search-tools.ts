import type { BuiltinTool, VisibleTool } from "@/lib/tools/contract";

/** Finds tools in the caller's own list: what is hidden from the caller is not found here either. */
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
  inputSchema: {
    type: "object",
    properties: {
      query: { type: "string", minLength: 1, maxLength: 200 },
      limit: { type: "integer", minimum: 1, maximum: 50 },
    },
    required: ["query"],
    additionalProperties: false,
  },
  outputSchema: {
    type: "object",
    properties: {
      count: { type: "integer" },
      results: {
        type: "array",
        items: {
          type: "object",
          properties: { tool_id: { type: "string" }, name: { type: "string" }, description: { type: "string" } },
          required: ["tool_id", "name", "description"],
          additionalProperties: false,
        },
      },
    },
    required: ["count", "results"],
    additionalProperties: false,
  },
  execute: (args, { visibleTools }) => {
    const words = String(args["query"]).toLowerCase().split(/\s+/).filter(Boolean);
    const limit = typeof args["limit"] === "number" ? args["limit"] : 10;
    const results = visibleTools()
      .map((tool) => ({ tool, score: scoreOf(tool, words) }))
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, limit)
      .map(({ tool: { id, name, description } }) => ({ tool_id: id, name, description }));
    return { success: true, output: { count: results.length, results } };
  },
};

/** A word in the name counts for more than one in the description; every word must be somewhere. */
function scoreOf(tool: VisibleTool, words: readonly string[]): number {
  const name = tool.name.toLowerCase();
  const rest = [tool.description, tool.category ?? "", ...tool.tags].join(" ").toLowerCase();
  const scores = words.map((word) => (name.includes(word) ? 3 : rest.includes(word) ? 1 : 0));
  return scores.includes(0) ? 0 : scores.reduce<number>((sum, score) => sum + score, 0);
}
