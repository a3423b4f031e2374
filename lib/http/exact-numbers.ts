import type { FieldProblem } from "@/lib/errors";

/** Strings, to skip them, and numbers that parsing may change: long ones, and those with an exponent of three digits. */
const CANDIDATES = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.]*[eE]\+?\d{3,}|-?\d[\d.eE+-]{15,}/g;
/** Path tokens of a JSON text: strings, brackets, separators. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/g;
/** Longer numbers exceed every double, or have more digits than anyone needs. */
const MAX_LENGTH = 400;
/** Beyond this offset the path is not computed: a hostile body must not cause that work. */
const MAX_PATH_OFFSET = 64 * 1024;

/**
 * The first integer of a JSON text that a double cannot represent, so that an upstream would receive another number;
 * `null` when all integers survive. `text` must be valid JSON.
 */
export function inexactInteger(text: string): FieldProblem | null {
  for (const match of text.matchAll(CANDIDATES)) {
    const [token] = match;
    if (token.startsWith('"') || survives(token)) continue;
    const path = match.index <= MAX_PATH_OFFSET ? pathAt(text, match.index) : "";
    const shown = token.length > 40 ? `${token.slice(0, 40)}…` : token;
    return { path, message: `the integer ${shown} cannot be passed on exactly: send it as text` };
  }
  return null;
}

/** Whether the number is not an integer, or keeps its value when it is written back. */
function survives(token: string): boolean {
  if (token.length > MAX_LENGTH) return false;
  const given = toDecimal(token);
  return given.exponent < 0 || toText(given) === toText(toDecimal(String(Number(token))));
}

interface Decimal {
  /** The digits without leading and trailing zeros. */
  readonly digits: string;
  readonly exponent: number;
}

function toDecimal(token: string): Decimal {
  const [, whole = "", fraction = "", exponent = "0"] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(token) ?? [];
  const all = whole + fraction;
  let [start, end] = [0, all.length];
  while (all[start] === "0") start += 1;
  while (end > start && all[end - 1] === "0") end -= 1;
  return { digits: all.slice(start, end), exponent: Number(exponent) - fraction.length + all.length - end };
}

function toText({ digits, exponent }: Decimal): string {
  return digits === "" ? "0" : `${digits}e${exponent}`;
}

/** The dotted path of the value at an offset. */
function pathAt(text: string, offset: number): string {
  const open: (string | number)[] = [];
  let last = "";
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    if (index >= offset) break;
    const top = open.length - 1;
    const place = open[top];
    if (token === "{") open.push("");
    else if (token === "[") open.push(0);
    else if (token === "}" || token === "]") open.pop();
    else if (token === ":") open[top] = JSON.parse(last) as string;
    else if (token === "," && typeof place === "number") open[top] = place + 1;
    else if (token.startsWith('"')) last = token;
  }
  return open
    .map((place) => (typeof place === "number" ? `[${place}]` : `.${place}`))
    .join("")
    .replace(/^\./, "");
}
