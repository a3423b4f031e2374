import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { REDACTED } from "@/lib/audit/record/redact";
import { begunAtEnd, placesOf } from "@/lib/calls/credentials/places-of";
import type { OutboundAnswer } from "@/lib/outbound/fetch";
import type { RunResult } from "@/lib/calls/pipeline/contract";

/** The parts of a tool's answer that are masked. */
type Answer = Pick<RunResult, "success" | "output" | "content" | "error">;

/** An upstream's answer without the texts in `hidden`, whatever kind of document it is. */
export function maskAnswer(answer: OutboundAnswer, hidden: readonly string[]): OutboundAnswer {
  if (hidden.length === 0 || answer.body.byteLength === 0) return answer;
  const before = Buffer.from(answer.body).toString("latin1");
  const after = maskText(
    before,
    spellings(hidden).map((text) => Buffer.from(text).toString("latin1")),
  );
  return after === before ? answer : { ...answer, body: Buffer.from(after, "latin1") };
}

/** A tool's answer without the texts in `hidden`: in output, content blocks, message and details, keys included. */
export function maskResult(result: Answer, hidden: readonly string[]): Answer {
  if (hidden.length === 0) return result;
  const { output, content, error } = result;
  const texts = occurring(spellings(hidden), JSON.stringify({ output, content, error }));
  if (texts.length === 0) return result;
  return {
    success: result.success,
    ...(output !== undefined && { output: maskValue(output, texts) }),
    ...(content !== undefined && { content: maskValue([...content], texts) as JsonObject[] }),
    ...(error !== undefined && {
      error: {
        ...error,
        message: maskText(error.message, texts),
        ...(error.details !== undefined && { details: maskValue(error.details, texts) }),
      },
    }),
  };
}

/** A JSON value without the texts in `hidden`, keys included. */
export function maskJson(value: Json, hidden: readonly string[]): Json {
  if (hidden.length === 0) return value;
  const texts = occurring(spellings(hidden), JSON.stringify(value));
  return texts.length === 0 ? value : maskValue(value, texts);
}

/** The text of a JSON value without the texts in `hidden`, keys included. */
export function maskJsonText(text: string, hidden: readonly string[]): string {
  if (hidden.length === 0) return text;
  const texts = occurring(spellings(hidden), text);
  return texts.length === 0 ? text : JSON.stringify(maskValue(JSON.parse(text) as Json, texts));
}

/** A text without the texts in `hidden`. Mask a text before you cut it: half a secret would not be recognised. */
export function maskWords(text: string, hidden: Iterable<string>): string {
  return maskText(text, spellings([...hidden]));
}

/**
 * Masks a text that comes in pieces, wherever they break: what may be the beginning of a text in `hidden` is held back
 * until more has come.
 */
export function maskedPieces(hidden: readonly string[]): {
  readonly push: (piece: string) => string;
  readonly end: () => string;
} {
  const texts = spellings(hidden);
  const begun = texts.map(begunAtEnd);
  let rest = "";
  /** Every secret that begins before `safe` is complete here. */
  const take = (safe: number) => {
    let masked = "";
    let at = 0;
    const firstFrom = placesIn(rest, texts);
    while (at < safe) {
      const found = firstFrom(at);
      const until = Math.min(found?.at ?? safe, safe);
      masked += rest.slice(at, until);
      at = until;
      if (found === null || found.at >= safe) break;
      masked += REDACTED;
      at = found.at + found.length;
    }
    rest = rest.slice(at);
    return masked;
  };
  return {
    push: (piece) => {
      rest += piece;
      const held = begun.reduce((most, begunBy) => Math.max(most, begunBy(piece, rest.length)), 0);
      return take(rest.length - held);
    },
    end: () => take(rest.length),
  };
}

/**
 * Finds the first position from `from` on at which one of the texts begins, and the longest text that begins there. Calls
 * never go back: the next place of each text is kept, so that no part of the text is searched twice for it.
 */
function placesIn(text: string, texts: readonly string[]): (from: number) => { at: number; length: number } | null {
  const places = texts.map((one) => {
    const placeFrom = placesOf(one, text);
    return { one, placeFrom, at: placeFrom(0) };
  });
  return (from) => {
    let first: { at: number; length: number } | null = null;
    for (const place of places) {
      if (place.at !== -1 && place.at < from) place.at = place.placeFrom(from);
      if (place.at !== -1 && (first === null || place.at < first.at))
        first = { at: place.at, length: place.one.length };
    }
    return first;
  };
}

/** Spellings by secret, so that not every call computes them. */
const spelt = new Map<string, readonly string[]>();
const MAX_SPELLED = 500;

/** The spellings in which texts may appear in an answer, the longest first. */
function spellings(hidden: readonly string[]): readonly string[] {
  return [...new Set(hidden.flatMap(spellingsOf))].toSorted((a, b) => b.length - a.length);
}

function spellingsOf(text: string): readonly string[] {
  const known = spelt.get(text);
  if (known !== undefined) return known;
  const made = spell(text);
  if (spelt.size >= MAX_SPELLED) spelt.clear();
  spelt.set(text, made);
  return made;
}

/** A text unchanged, in JSON, an address, a form or HTML, in hexadecimal digits, and in base64 at any offset. */
function spell(text: string): readonly string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const bytes = Buffer.from(text);
  const hex = bytes.toString("hex");
  const inAddress = [encodeURIComponent(text), new URLSearchParams({ v: text }).toString().slice(2)];
  return [
    text,
    json,
    JSON.stringify(json).slice(1, -1),
    ...JSON_ESCAPED.map((chars) => json.replaceAll(chars, escapedInJson)),
    json.replaceAll("/", String.raw`\/`),
    ...inAddress,
    ...inAddress.map((one) => one.replaceAll(/%../g, (escape) => escape.toLowerCase())),
    ...inAddress.map((one) => encodeURIComponent(one)),
    ...[`%${hex.match(/../g)?.join("%") ?? ""}`].flatMap((one) => [one, one.toUpperCase()]),
    ...HTML.map((names) => text.replaceAll(/[&<>"'/=`]/g, (char) => names[char] ?? char)),
    hex,
    hex.toUpperCase(),
    bytes.toString("base64"),
    bytes.toString("base64url"),
    ...[0, 1, 2].flatMap((shift) => shiftedBase64(bytes, shift)),
  ];
}

/** Characters that Go, Rails and .NET escape in JSON although JSON does not require it. */
const JSON_ESCAPED = [/[<>&]/g, /[<>&'+`]/g, /\\"|[<>&'+`]/g];

function escapedInJson(text: string): string {
  return `\\u${text
    .charCodeAt(text.length - 1)
    .toString(16)
    .padStart(4, "0")}`;
}

/** Named, decimal and hexadecimal references (HTML, 13.2.5.72), as libraries write them. */
const HTML: readonly Readonly<Record<string, string>>[] = [
  { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" },
  { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&#34;", "'": "&#x27;" },
  { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;", "/": "&#x2F;", "=": "&#x3D;", "`": "&#x60;" },
  { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" },
];

/** Fewer characters would mask innocent text. */
const LEAST_BASE64 = 8;

/** The base64 characters that depend on these bytes alone, when `before` bytes precede them and any bytes follow. */
function shiftedBase64(bytes: Buffer, before: number): string[] {
  const whole = Buffer.concat([Buffer.alloc(before), bytes]);
  const [from, to] = [Math.ceil((before * 4) / 3), Math.floor((whole.length * 4) / 3)];
  return (["base64", "base64url"] as const)
    .map((encoding) => whole.toString(encoding).slice(from, to))
    .filter((core) => core.length >= LEAST_BASE64);
}

/** The texts that a value may contain. Searches its JSON text, which is much faster than a walk through the value. */
function occurring(texts: readonly string[], json: string): readonly string[] {
  // JSON writes half a surrogate pair as an escape, and a whole pair unchanged.
  return texts.filter((text) => !text.isWellFormed() || placesOf(JSON.stringify(text).slice(1, -1), json)(0) !== -1);
}

function maskText(text: string, texts: readonly string[]): string {
  return texts.reduce(withoutText, text);
}

function withoutText(text: string, one: string): string {
  const placeFrom = placesOf(one, text);
  let masked = "";
  let at = 0;
  for (let found = placeFrom(0); found !== -1; found = placeFrom(at)) {
    masked += text.slice(at, found) + REDACTED;
    at = found + one.length;
  }
  return at === 0 ? text : masked + text.slice(at);
}

function maskValue(value: Json, texts: readonly string[]): Json {
  if (typeof value === "string") return maskText(value, texts);
  if (typeof value === "number") return texts.includes(String(value)) ? REDACTED : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Json) => maskValue(item, texts));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [maskText(key, texts), maskValue(item, texts)]));
}
