/** How many tools are named before the rest are counted. */
const NAMED = 5;

/** What else a grant gives: "2 other tools: a, b". */
export function alsoBrings(brings: readonly string[]): string {
  if (brings.length === 0) return "no other tool comes with it";
  const named = `${brings.slice(0, NAMED).join(", ")}${brings.length > NAMED ? " …" : ""}`;
  return brings.length === 1
    ? `1 other tool comes with it: ${named}`
    : `${brings.length.toLocaleString("en")} other tools come with it: ${named}`;
}
