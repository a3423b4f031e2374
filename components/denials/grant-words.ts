import { describeCondition } from "@/lib/access/model/matcher";
import type { GrantOutput } from "@/lib/contracts/decisions/grant";

/** How many tools are named before the rest are counted. */
const NAMED = 5;

/** The sentence about a tool whose calls need an approval, which no grant lifts. */
export const STILL_WAITS = "Each call of the tool still waits under Approvals until a person answers.";

/** The other tools that callers gain by a grant: "the caller also gains 2 other tools: a, b". */
export function alsoBrings(brings: readonly string[]): string {
  if (brings.length === 0) return "the caller gains no other tool";
  const named = `${brings.slice(0, NAMED).join(", ")}${brings.length > NAMED ? " …" : ""}`;
  return brings.length === 1
    ? `the caller also gains 1 other tool: ${named}`
    : `the caller also gains ${brings.length.toLocaleString("en")} other tools: ${named}`;
}

/** The callers of a grant, by its conditions: "every caller whose `team` equals `support`". */
export function callersOf({ matchers }: GrantOutput["policy"]): string {
  return `every caller whose ${matchers.map(describeCondition).join(" and ")}`;
}
