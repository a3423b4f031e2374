import type { Tool } from "@/lib/access/model/configuration";

/** What a search reads of a tool. */
type Searched = Pick<Tool, "name" | "description" | "category" | "tags">;

/** Results of one search unless it asks for another number. */
const FEW = 10;

/** The tools in which every word is found, the best first: a word in the name counts for more than one elsewhere. */
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
