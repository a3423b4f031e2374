import { createTwoFilesPatch } from "diff";

/** The most milliseconds for a comparison of two texts, which blocks the page. */
const MAX_MS = 2000;

/** Two texts as the lines of a unified diff, without a header for no difference; `null` = they differ in too much. */
export function patchOf(before: string, after: string): readonly string[] | null {
  const patch = createTwoFilesPatch("in-force", "document", lined(before), lined(after), "", "", {
    context: 3,
    timeout: MAX_MS,
    headerOptions: { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
  });
  if (patch === undefined) return null;
  const lines = patch.trimEnd().split("\n");
  return lines.some((line) => line.startsWith("@@")) ? lines : [];
}

/** The kind of a line of a unified diff: added, removed, a position, or the same in both. */
export function lineTone(line: string): "come" | "gone" | "place" | "same" {
  if (/^(?:@@|\+\+\+ |--- )/.test(line)) return "place";
  return line.startsWith("+") ? "come" : line.startsWith("-") ? "gone" : "same";
}

/** JSON in the layout of an export, with uniform line ends. */
function lined(text: string): string {
  const plain = text.replaceAll("\r\n", "\n");
  const spaced = /^\s*\{/.test(plain) ? indented(plain) : plain;
  return spaced.endsWith("\n") ? spaced : `${spaced}\n`;
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // Not JSON: compared unchanged.
    return text;
  }
}
