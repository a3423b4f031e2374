import type { Json } from "@/lib/access/model/configuration";

/** The text that replaces a stack trace. */
const MASKED = "[stack trace masked]";

/** Members that hold nothing but a trace, compared without case, `-` and `_`. */
const NAMES: ReadonlySet<string> = new Set([
  "stack",
  "stacktrace",
  "stacktraces",
  "backtrace",
  "traceback",
  "callstack",
]);

/** Only this many characters of a line are examined. */
const MAX_LINE = 500;

/**
 * Lines of a trace. JavaScript, Java and .NET: `at …`; Python: `File "…", line 3`; PHP: `#0 …`; Ruby: `from x.rb:1:in`;
 * Go: `goroutine 1 [running]:`, `\t/x/main.go:3 +0x1d`; Rust: `3: core::panicking`.
 */
const FRAMES: readonly RegExp[] = [
  /^\s*at\s[^\n(]{0,200}\([^)\n]*:\d+\)/,
  /^\s*at\s+[\w$<>`]+(?:[./][\w$<>`[\]]+)+\(/,
  /^\s*at\s+(?:async\s+)?(?:file:|node:|[/\\]|[A-Za-z]:\\)\S*:\d+/,
  /^\s*File "[^"\n]+", line \d+/,
  /^\s*Traceback \(most recent call last\)/,
  /^\s*#\d+\s+(?:\{main\}|\[internal function\]|\S[^\n]*(?:\.\w+\(\d+\)|:\d+))/,
  /^\s*(?:from\s+)?\S+\.(?:rb|py|go|rs|php|java|cs|js|ts|ex|exs):\d+(?::in\b|:\d+|\s\+0x|$)/,
  /^\s*goroutine \d+ \[/,
  /^\s*\.\.\. \d+ (?:more|common frames)/,
  /^\s*--- End of (?:stack trace|inner exception)/,
];

/** Frames that were joined into one line. */
const INLINE = /(?: at (?:async )?[^\s()]{1,200} \([^()\s]{1,300}:\d+\))+/g;

/** A text without its stack traces: they show files and libraries to agents, and do not help them. */
export function withoutTraces(text: string): string {
  // Traces also come on one line: in JSON inside a text, or as HTML.
  const lines = text.split(/\r\n|\n|\\r\\n|\\n|<br\s*\/?>/);
  const kept: string[] = [];
  let isMasked = false;
  let inPython = false;
  for (const line of lines) {
    const head = line.slice(0, MAX_LINE);
    const isFrame = FRAMES.some((frame) => frame.test(head));
    // Python shows the source of each frame below it, indented further.
    if (isFrame || (inPython && /^\s{4,}\S/.test(head))) {
      if (!isMasked) kept.push(MASKED);
      isMasked = true;
      inPython = inPython || /^\s*(?:File "|Traceback)/.test(head);
      continue;
    }
    isMasked = false;
    inPython = false;
    kept.push(line);
  }
  const lined = kept.includes(MASKED) ? kept.join("\n") : text;
  return lined.replaceAll(INLINE, ` ${MASKED}`);
}

/** The same for every text of a JSON value, without members whose name says that they hold a trace. */
export function withoutTracesIn(value: Json): Json {
  if (typeof value === "string") return withoutTraces(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutTracesIn);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      NAMES.has(key.toLowerCase().replaceAll(/[-_]/g, "")) && item !== null ? MASKED : withoutTracesIn(item),
    ]),
  );
}
