import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { fromJson, isDeeper, isObject } from "@/lib/access/model/json";

/** The text that replaces a stack trace. */
const MASKED = "[stack trace masked]";

/** Names of members that hold nothing but a trace, in lower case without separators. */
const TRACE_NAME =
  /(?:stacktraces?|stacktracestring|stackframes|backtraces?|tracebacks?|callstack|excinfo|(?:full|application|framework)trace)$|^stack$/;

/** Only this many characters of a line are examined. */
const MAX_LINE = 500;

/** Blanks before a frame, also escaped or as HTML, and the margin of Python's exception groups. */
const MARGIN = /^(?:\s|\\t|&nbsp;|&#160;|<\/?\w{1,10}[^<>]{0,100}>|[|+])*/;

/**
 * Lines of a trace, without margin. JavaScript, Java and .NET: `at …`; Python: `File "…", line 3`; PHP: `#0 …`;
 * Ruby: `from x.rb:1:in`; Go: `goroutine 1 [running]:`, `/x/main.go:3 +0x1d`; Rust: `3: core::panicking`;
 * Elixir: `(app 1.0.0) lib/x.ex:3: X.f/1`.
 */
const FRAMES: readonly RegExp[] = [
  /^at\s[^\n(]{0,200}\([^)\n]*:\d+\)/,
  /^at\s+[\w$<>`]+(?:[./][\w$<>`[\]]+)+\(/,
  /^at\s+(?:async\s+)?(?:file:|node:|[/\\]|[A-Za-z]:\\)\S*:\d+/,
  /^File "[^"\n]+", line \d+/,
  /^(?:Exception Group )?Traceback \(most recent call last\)/,
  /^#\d+\s+(?:\{main\}|\[internal function\]|\S[^\n]*(?:\.\w+\(\d+\)|:\d+))/,
  /^(?:from\s+)?\S+\.(?:rb|py|go|rs|php|java|cs|js|ts|ex|exs):\d+(?::in\b|:\d+|\s\+0x|$)/,
  /^goroutine \d+ \[/,
  /^\d+:\s+(?:0x[0-9a-f]+ - )?[\w<$]+(?:::[\w<>{}$#]+)+/,
  /^\([\w.-]+(?: [\w.-]+)?\) \S+\.(?:exs?|erl):\d+:/,
  /^\.\.\. \d+ (?:more|common frames)/,
  /^--- End of (?:stack trace|inner exception)/,
];

/** Frames that were joined into one line, and the place that a language names in the sentence of the error. */
const INLINE = new RegExp(
  `(?: ?(?:${[
    String.raw`(?<=[ ])at (?:async )?[^\s()]{1,200} \([^()\s]{1,300}:\d+\)`,
    String.raw`(?<=[ ])at (?:async )?(?:file:|node:|[/\\]|[A-Za-z]:\\)\S{1,300}:\d+`,
    String.raw`(?<=[ ])at [\w$.<>/]{3,200}\((?:[\w$]{1,100}\.(?:java|kt|scala|groovy|clj)(?::\d+)?|Native Method|Unknown Source)\)`,
    String.raw`(?<=[ ])at [\w.<>\x60[\]+]{3,200}\([^()\n]{0,200}\) in (?:[A-Za-z]:)?[^\n:]{1,300}:line \d+`,
    String.raw`File "[^"\n]{1,300}", line \d+(?:, in \S{1,100})?`,
    String.raw`#\d+ \S{1,300}\.php\(\d+\)(?:: \S{1,200})?`,
    String.raw`(?<=[ ])(?:in|at) (?:[A-Za-z]:\\|/)\S{1,300}?(?::\d+| on line \d+)`,
    String.raw`(?<=panicked )at \S{1,300}:\d+:\d+`,
  ].join("|")}))+`,
  "g",
);

/** The most characters that are searched for traces in one step. */
export const MAX_SEARCHED = 64 * 1024;
/** The beginning of a JSON object or list. A line such as `[ERROR] …` or `[2026-01-31 10:00] …` is text. */
const DOCUMENT =
  /^\s*(?:\{\s*["}]|\[\s*(?:["{[\]]|(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)\s*(?:,|\]\s*$)))/;

const QUOTED = /^\s*"/;

/**
 * A text without its stack traces: they show files and libraries to agents, and do not help them. A text that is a JSON
 * document is read as one. Leaves out a document of more than 64 Ki characters, and cuts another text there: the
 * beginning of a document does not show which of its members are traces.
 */
export function withoutTraces(text: string): string {
  if (text.length > MAX_SEARCHED)
    return DOCUMENT.test(text) || isJsonString(text)
      ? `[document of ${text.length} characters left out]`
      : withoutDividedFrame(withoutTraceLines(text.slice(0, MAX_SEARCHED)));
  const document = parseDocument(text);
  if (document === null) return withoutTraceLines(text);
  const masked = JSON.stringify(withoutTracesIn(document));
  return masked === JSON.stringify(document) ? text : masked;
}

/** The cut may divide a frame, and half a frame is not recognised. The text up to the last masked trace stays. */
function withoutDividedFrame(masked: string): string {
  const trace = masked.lastIndexOf(MASKED);
  return masked.slice(0, Math.max(masked.length - MAX_LINE, trace === -1 ? 0 : trace + MASKED.length));
}

/** Many texts begin with a quotation mark, and are no JSON string. */
function isJsonString(text: string): boolean {
  return QUOTED.test(text) && fromJson(text) !== undefined;
}

/** Deeper documents are read as lines. */
const MAX_DEPTH = 64;

function parseDocument(text: string): Json {
  if (!DOCUMENT.test(text) && !QUOTED.test(text)) return null;
  const value = (fromJson(text) ?? null) as Json;
  return isDeeper(value, MAX_DEPTH) ? null : value;
}

function withoutTraceLines(text: string): string {
  // Traces also come on one line: in JSON inside a text, or as HTML.
  const lines = text.split(/\r\n|\n|\\r\\n|\\n|<br\s*\/?>/);
  const kept: string[] = [];
  let isMasked = false;
  let inPython = false;
  let inGo = false;
  for (const line of lines) {
    const head = line.slice(0, MAX_LINE);
    const bare = head.replace(MARGIN, "");
    inGo = bare !== "" && (inGo || bare.startsWith("goroutine "));
    const isFrame = FRAMES.some((frame) => frame.test(bare));
    // Python shows the source of each frame below it, indented further. Go names the function above its place.
    if (isFrame || (inPython && /^[\s|]{4,}\S/.test(head)) || (inGo && /^\S+\(.*\)$|^created by /.test(bare))) {
      if (!isMasked) kept.push(MASKED);
      isMasked = true;
      inPython = inPython || /^(?:File "|(?:Exception Group )?Traceback)/.test(bare);
      continue;
    }
    isMasked = false;
    inPython = false;
    kept.push(line);
  }
  const lined = kept.includes(MASKED) ? kept.join("\n") : text;
  return lined.replaceAll(INLINE, (frames) => `${frames.startsWith(" ") ? " " : ""}${MASKED}`);
}

/** Masks the traces in every text of a JSON value, and members that are a trace by their name or by their shape. */
export function withoutTracesIn(value: Json): Json {
  if (typeof value === "string") return withoutTraces(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return isTrace(value) ? MASKED : value.map(withoutTracesIn);
  const object = value as JsonObject;
  const isThrown = hasPlace(object) && ("exception" in object || "trace" in object);
  return Object.fromEntries(
    Object.entries(object).map(([key, item]) => [
      key,
      item !== null && (isTraceName(key) || (isThrown && key === "file")) ? MASKED : withoutTracesIn(item),
    ]),
  );
}

function isTraceName(key: string): boolean {
  return TRACE_NAME.test(key.toLowerCase().replaceAll(/[-_.\s]/g, ""));
}

/** Whether a list has frames as objects, as PHP, Python and Java write them: each a function, some with file and line. */
function isTrace(list: readonly Json[]): boolean {
  return (
    list.length > 0 &&
    list.every((item) => isObject(item) && FUNCTION_KEYS.some((key) => key in item)) &&
    list.some((item) => isObject(item) && hasPlace(item))
  );
}

const FUNCTION_KEYS = ["function", "func", "method", "methodName", "class", "className"];

function hasPlace(object: JsonObject): boolean {
  return (
    ["file", "filename", "fileName", "abs_path"].some((key) => key in object) &&
    ["line", "lineno", "lineNumber"].some((key) => key in object)
  );
}
