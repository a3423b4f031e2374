import { createParser, type ParserCallbacks } from "eventsource-parser";

/** Complete lines that make no event: comments, unknown fields, and a `retry` that is no number. */
const IGNORED_LINES = /(?<![^\n])(?!(?:data|event|id)[:\n]|retry: ?\d+\n)[^\n]+\n/g;

/**
 * Returns a function that reads server-sent events from a text that arrives in pieces (HTML, 9.2.6). Its time is linear
 * in the text. The library alone searches the rest of a piece for each of its lines when the piece contains a carriage
 * return, and captures a stack trace for each line that it ignores: 1 MiB from an upstream would block this process for
 * seconds. So the library gets complete lines with meaning only, which end with a line feed.
 */
export function eventParser(callbacks: Pick<ParserCallbacks, "onEvent" | "onRetry">): (piece: string) => void {
  const parser = createParser(callbacks);
  // The pieces of the unfinished line. They are joined once, because a line may have thousands of pieces.
  let unfinished: string[] = [];
  let isAfterReturn = false;
  return (piece) => {
    if (piece === "") return;
    // Pieces may split a line end in two: the carriage return has ended the line already.
    const rest = isAfterReturn && piece.startsWith("\n") ? piece.slice(1) : piece;
    isAfterReturn = piece.endsWith("\r");
    const text = rest.replaceAll("\r\n", "\n").replaceAll("\r", "\n");
    const end = text.lastIndexOf("\n") + 1;
    if (end === 0) {
      unfinished.push(text);
      return;
    }
    const lines = [...unfinished, text.slice(0, end)].join("");
    unfinished = [text.slice(end)];
    parser.feed(lines.replace(IGNORED_LINES, ""));
  };
}
