import type { Tool } from "@/lib/access/model/configuration";

/** The fields of a tool that a search reads. */
type Searched = Pick<Tool, "name" | "description" | "category" | "tags">;

/** The default number of results. */
const FEW = 10;

/** The tools that contain every word, the best first: a word in the name counts more than one elsewhere. */
export function searchTools<T extends Searched>(tools: readonly T[], query: string, limit = FEW): readonly T[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return tools
    .map((tool) => ({ tool, score: scoreOf(tool, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ tool }) => tool);
}

function scoreOf(tool: Searched, words: readonly string[]): number {
  const name = tool.name.toLowerCase();
  const rest = [tool.description, tool.category ?? "", ...tool.tags].join(" ").toLowerCase();
  const scores = words.map((word) => (name.includes(word) ? 3 : rest.includes(word) ? 1 : 0));
  return scores.includes(0) ? 0 : scores.reduce<number>((sum, score) => sum + score, 0);
}
