import type { Parts } from "@/lib/access/model/parts";
import type { Tool } from "@/lib/access/model/configuration";

/** The fields of a tool that a search reads. */
type Searched = Pick<Tool, "name" | "description" | "category" | "tags">;

/** The default number of results. */
const FEW = 10;

/** The tools that contain every word, the best first: a word in the name counts more than one elsewhere. */
export function* searchInParts<T extends Searched>(
  tools: Iterable<T>,
  query: string,
  limit = FEW,
): Parts<readonly T[]> {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found: { readonly tool: T; readonly score: number }[] = [];
  for (const tool of tools) {
    const score = scoreOf(tool, words);
    if (score > 0) found.push({ tool, score });
    yield;
  }
  const best = found.toSorted((a, b) => b.score - a.score);
  return best.slice(0, limit).map(({ tool }) => tool);
}

function scoreOf(tool: Searched, words: readonly string[]): number {
  const name = tool.name.toLowerCase();
  const rest = [tool.description, tool.category ?? "", ...tool.tags].join(" ").toLowerCase();
  const scores = words.map((word) => (name.includes(word) ? 3 : rest.includes(word) ? 1 : 0));
  return scores.includes(0) ? 0 : scores.reduce<number>((sum, score) => sum + score, 0);
}
