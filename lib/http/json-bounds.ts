// Scans JSON texts without building their values: for too many values, repeated keys, and the place of a fault.

/** The most values and keys of a JSON text. */
export interface JsonBounds {
  readonly values: number;
  readonly keys: number;
}

/** The kind that a text has too many of, and the bound. */
interface Excess {
  readonly what: keyof JsonBounds;
  readonly most: number;
}

/** The most values per MiB of an upstream's answer: three times those of an ordinary answer. */
const ANSWER_VALUES_PER_MIB = 200_000;
const MIB = 1024 * 1024;

/**
 * The first bound that an upstream's answer exceeds; `null` = none. Lists of short values exceed it, such as a megabyte of
 * small numbers or of empty lists.
 *
 * @param isSequence whether the answer is a sequence, whose lines are values too
 */
export function excessOfAnswer(text: string, isSequence = false): Excess | null {
  const values = Math.max(1, Math.ceil(text.length / MIB)) * ANSWER_VALUES_PER_MIB;
  return excessOf(text, { values, keys: Number.POSITIVE_INFINITY }, isSequence);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const BRACE = 0x7b;
const OPENINGS: ReadonlySet<number> = new Set([0x5b, BRACE]);
const CLOSING_BRACKET = 0x5d;
const CLOSING_BRACE = 0x7d;
const CLOSINGS: ReadonlySet<number> = new Set([CLOSING_BRACKET, CLOSING_BRACE]);
const SPACE = 0x20;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * The first bound that a JSON text exceeds; `null` = none. Counts without parsing, because parsing builds every value
 * first. For text that is not JSON the result has no meaning.
 */
export function excessOf(text: string, most: JsonBounds, isSequence = false): Excess | null {
  let values = isSequence ? 1 + lineEndsOf(text) : 1;
  let keys = 0;
  let afterOpening = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code <= SPACE) continue;
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COMMA) values += 1;
    else if (code === COLON) keys += 1;
    else if (OPENINGS.has(code)) {
      values += 1;
      afterOpening = true;
      continue;
    }
    // An empty list or object contains no value.
    else if (afterOpening && CLOSINGS.has(code)) values -= 1;
    afterOpening = false;
    if (values > most.values) return { what: "values", most: most.values };
    if (keys > most.keys) return { what: "keys", most: most.keys };
  }
  // The loop does not check after white space and openings.
  return values > most.values ? { what: "values", most: most.values } : null;
}

/** The line ends of a text: LF, CR or CRLF, also within quotes, because the text may be no JSON. */
function lineEndsOf(text: string): number {
  let ends = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === LINE_FEED || (code === CARRIAGE_RETURN && text.charCodeAt(at + 1) !== LINE_FEED)) ends += 1;
  }
  return ends;
}

/** A place in a text, from 1. */
interface Place {
  readonly line: number;
  readonly column: number;
}

/** A key that an object states a second time, and the place of the second one. */
interface RepeatedKey extends Place {
  readonly key: string;
}

/** The first key that an object of a JSON text repeats; `null` = none. `JSON.parse` would keep the last value. */
export function repeatedKeyOf(text: string): RepeatedKey | null {
  // The keys of each object around the present place; `null` = a list.
  const around: (Set<string> | null)[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (OPENINGS.has(code)) around.push(code === BRACE ? new Set() : null);
    else if (CLOSINGS.has(code)) around.pop();
    if (code !== QUOTE) continue;
    const start = at;
    at = endOfString(text, start);
    if (!isKeyEnd(text, at + 1)) continue;
    const key = JSON.parse(text.slice(start, at + 1)) as string;
    const keys = around.at(-1);
    if (keys?.has(key) === true) return { key, ...placeOf(text, start) };
    keys?.add(key);
  }
  return null;
}

function isKeyEnd(text: string, from: number): boolean {
  let at = from;
  while (text.charCodeAt(at) <= SPACE) at += 1;
  return text.charCodeAt(at) === COLON;
}

/** The first character that no JSON text has there; `null` = the text ends too early. */
interface JsonFault extends Place {
  readonly character: string | null;
}

/** The fault of a text that `JSON.parse` refuses. The platform's own error often names no place. */
export function faultOf(text: string): JsonFault {
  const at = faultOffset(text);
  const code = text.codePointAt(at);
  return { character: code === undefined ? null : String.fromCodePoint(code), ...placeOf(text, at) };
}

const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
const WHITE_SPACE = /[ \t\n\r]*/y;

function faultOffset(text: string): number {
  // The closing brackets that are still to come, and what may stand at the present place.
  const closings: number[] = [];
  let next: "key" | "colon" | "value" | "comma" = "value";
  let isAfterOpening = false;
  for (let at = endOf(WHITE_SPACE, text, 0); at < text.length; at = endOf(WHITE_SPACE, text, at)) {
    const code = text.charCodeAt(at);
    if (CLOSINGS.has(code)) {
      if (closings.pop() !== code || (next !== "comma" && !isAfterOpening)) return at;
      next = "comma";
      at += 1;
    } else if (next === "comma" || next === "colon") {
      if (code !== (next === "comma" ? COMMA : COLON) || closings.length === 0) return at;
      next = next === "comma" && closings.at(-1) === CLOSING_BRACE ? "key" : "value";
      at += 1;
    } else if (code === QUOTE) {
      const end = endOfString(text, at);
      const fault = faultInString(text, at, end);
      if (fault !== null) return fault;
      next = next === "key" ? "colon" : "comma";
      at = end + 1;
    } else if (next === "key") return at;
    else if (OPENINGS.has(code)) {
      closings.push(code === BRACE ? CLOSING_BRACE : CLOSING_BRACKET);
      next = code === BRACE ? "key" : "value";
      isAfterOpening = true;
      at += 1;
      continue;
    } else {
      const end = endOf(SCALAR, text, at);
      if (end === at) return at;
      next = "comma";
      at = end;
    }
    isAfterOpening = false;
  }
  return text.length;
}

function faultInString(text: string, start: number, end: number): number | null {
  for (let at = start + 1; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code < SPACE) return at;
    if (code !== BACKSLASH) continue;
    if (endOf(ESCAPE, text, at) === at) return at + 1;
    at += 1;
  }
  return end === text.length ? end : null;
}

/** The end of what a sticky pattern matches at an offset; the offset when it matches nothing. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

function placeOf(text: string, offset: number): Place {
  let [line, start] = [1, 0];
  for (let end = text.indexOf("\n"); end >= 0 && end < offset; end = text.indexOf("\n", start)) {
    line += 1;
    start = end + 1;
  }
  return { line, column: offset - start + 1 };
}

/** The offset of the closing quote of the string that opens at `start`; the text's length without one. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 1;
    else if (code === QUOTE) return at;
  }
  return text.length;
}
