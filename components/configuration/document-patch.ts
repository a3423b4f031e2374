import { createTwoFilesPatch } from "diff";

/** The most milliseconds for a comparison of two texts, which blocks the page. */
const MAX_MS = 2000;

/** The lines of a unified diff of two texts: none for equal texts; `null` when the comparison takes too long. */
export function patchOf(before: string, after: string): readonly string[] | null {
  const patch = createTwoFilesPatch("in-force", "document", inExportLayout(before), inExportLayout(after), "", "", {
    context: 3,
    timeout: MAX_MS,
    headerOptions: { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
  });
  if (patch === undefined) return null;
  const lines = patch.trimEnd().split("\n");
  return lines.some((line) => line.startsWith("@@")) ? lines : [];
}

/** The kind of a line of a unified diff. `position`: a header, or where a part begins. */
export function lineKind(line: string): "added" | "removed" | "position" | "same" {
  if (/^(?:@@|\+\+\+ |--- )/.test(line)) return "position";
  return line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "same";
}

/** JSON in the layout of an export, with uniform line ends. */
function inExportLayout(text: string): string {
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
