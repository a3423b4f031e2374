import type { Json, JsonObject } from "@/lib/access/configuration";
import { REDACTED } from "@/lib/audit/redact";
import type { OutboundAnswer } from "@/lib/outbound/fetch";
import type { RunResult } from "@/lib/tools/contract";

/** What a tool's answer is made of. */
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

/** A tool's answer without the texts in `hidden`: in its output, what is beside it, its message and its details, keys included. */
export function maskResult(result: Answer, hidden: readonly string[]): Answer {
  if (hidden.length === 0) return result;
  const texts = spellings(hidden);
  const { output, content, error } = result;
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
  return hidden.length === 0 ? value : maskValue(value, spellings(hidden));
}

/** A text without the texts in `hidden`; to be cut short only afterwards: half a secret would not be recognised. */
export function maskWords(text: string, hidden: Iterable<string>): string {
  return maskText(text, spellings([...hidden]));
}

/**
 * The same for a text that comes in pieces, wherever they break: what may be the beginning of a text in `hidden` is held back
 * until more has come.
 */
export function maskedPieces(hidden: readonly string[]): {
  readonly push: (piece: string) => string;
  readonly end: () => string;
} {
  const texts = spellings(hidden);
  let rest = "";
  /** What begins before `safe` is here as a whole. */
  const take = (safe: number) => {
    let told = "";
    let at = 0;
    while (at < safe) {
      const found = firstIn(rest, texts, at);
      const until = Math.min(found?.at ?? safe, safe);
      told += rest.slice(at, until);
      at = until;
      if (found === null || found.at >= safe) break;
      told += REDACTED;
      at = found.at + found.length;
    }
    rest = rest.slice(at);
    return told;
  };
  return {
    push: (piece) => {
      rest += piece;
      return take(rest.length - begun(rest, texts));
    },
    end: () => take(rest.length),
  };
}

/** How many characters at the end of a text may be the beginning of one of the others. */
function begun(text: string, others: readonly string[]): number {
  let most = 0;
  for (const other of others) {
    const first = other.charAt(0);
    let at = text.indexOf(first, Math.max(0, text.length - other.length + 1));
    while (at !== -1 && !other.startsWith(text.slice(at))) at = text.indexOf(first, at + 1);
    if (at !== -1) most = Math.max(most, text.length - at);
  }
  return most;
}

/** The first place from `from` on where one of the texts stands, and the longest that stands there. */
function firstIn(text: string, texts: readonly string[], from: number): { at: number; length: number } | null {
  let first: { at: number; length: number } | null = null;
  for (const one of texts) {
    const at = text.indexOf(one, from);
    if (at !== -1 && (first === null || at < first.at)) first = { at, length: one.length };
  }
  return first;
}

/** How a text may come back: as it is, inside JSON, inside an address or a form, in base64. The longest first. */
function spellings(hidden: readonly string[]): readonly string[] {
  const all = hidden.flatMap((text) => [
    text,
    JSON.stringify(text).slice(1, -1),
    encodeURIComponent(text),
    new URLSearchParams({ v: text }).toString().slice(2),
    Buffer.from(text).toString("base64"),
    Buffer.from(text).toString("base64url"),
  ]);
  return [...new Set(all)].toSorted((a, b) => b.length - a.length);
}

function maskText(text: string, texts: readonly string[]): string {
  return texts.reduce((rest, one) => rest.replaceAll(one, REDACTED), text);
}

function maskValue(value: Json, texts: readonly string[]): Json {
  if (typeof value === "string") return maskText(value, texts);
  if (typeof value === "number") return texts.includes(String(value)) ? REDACTED : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Json) => maskValue(item, texts));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [maskText(key, texts), maskValue(item, texts)]));
}
