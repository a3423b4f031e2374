import { isDeeper, isList } from "@/lib/access/model/json";
import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { atOnce, type Parts } from "@/lib/access/model/parts";
import { storableText } from "@/lib/access/model/storable";
import { EMAIL_SHAPE, MASK } from "@/lib/resources/parts/words";
import { maskSecretShapes } from "@/lib/telemetry/secret-shapes";

/** The text that replaces a secret. */
export const REDACTED = MASK;

/**
 * Key names whose values are never stored; compared without case, `-` and `_`. A key matches when its normalised name
 * is one of these, or ends with one of the endings.
 */
const NAMES: ReadonlySet<string> = new Set([
  "authorization",
  "proxyauthorization",
  "cookie",
  "setcookie",
  "passwd",
  "pwd",
  "pin",
  "cvv",
  "cvc",
  "cardnumber",
  "iban",
  "ssn",
  "jwt",
  "otp",
]);
const ENDINGS = ["password", "passphrase", "secret", "token", "apikey", "privatekey", "credential", "credentials"];

/** Personal data, not a secret: masked when the settings say so (RFC 5321, 4.1.2 and 4.5.3.1, without quotes). */
const EMAIL = /(?<![A-Za-z0-9])[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}/g;

/** Values, and characters of text, to process between two parts. */
const PART_VALUES = 500;
const PART_CHARACTERS = 32 * 1024;

/**
 * Removes secrets from a value before it is stored (docs/reference/log.md#rows): values under secret key names, under
 * configured names and dotted paths, and secret shapes inside text. Returns the same value, not a copy, when it holds
 * no secret, because most values hold none.
 * @param configured `settings.redact`: key names (anywhere), dotted paths from the root (`card.number`), `shape:email`
 */
export function redact(value: Json, configured: readonly string[] = []): Json {
  return atOnce(redactInParts(value, configured));
}

/** Redacts in parts a value whose size a caller or an upstream chooses. */
export function redactInParts(value: Json, configured: readonly string[]): Parts<Json> {
  return new Redaction(configured).walk(value, "");
}

class Redaction {
  readonly #configured: readonly string[];
  readonly #paths: ReadonlySet<string>;
  readonly #names: ReadonlySet<string>;
  /** Rows of one list have the same keys. */
  readonly #keys = new Map<string, { readonly shown: string; readonly isSecret: boolean }>();
  #values = 0;
  #characters = 0;

  constructor(configured: readonly string[]) {
    this.#configured = configured;
    this.#paths = new Set(configured.filter((entry) => entry.includes(".")));
    this.#names = new Set(configured.filter((entry) => !entry.includes(".")).map(normalised));
  }

  *walk(value: Json, path: string): Parts<Json> {
    if (typeof value === "string" && isDocument(value)) return yield* this.#document(value);
    if (typeof value !== "object" || value === null) return this.#scalar(value);
    return yield* isList(value) ? this.#list(value, path) : this.#object(value, path);
  }

  /** A text that is a JSON document: redacted as one, or by its shapes when it is none. */
  *#document(text: string): Parts<string> {
    const value = parseDocument(text);
    if (value === null) return this.#scalar(text);
    this.#characters += text.length;
    const masked = yield* this.walk(value, "");
    return masked === value ? this.#scalar(text) : JSON.stringify(masked);
  }

  #scalar<Value extends Json>(value: Value): Value | string {
    this.#values += 1;
    if (typeof value !== "string") return value;
    this.#characters += value.length;
    return redactShapes(value, this.#configured);
  }

  *#list(list: readonly Json[], path: string): Parts<Json> {
    let masked: Json[] | null = null;
    for (let at = 0; at < list.length; at += 1) {
      const item = list[at] ?? null;
      const kept = isWalked(item) ? yield* this.walk(item, path) : this.#scalar(item);
      if (kept !== item) masked ??= list.slice(0, at);
      masked?.push(kept);
      if (this.#isPart()) yield;
    }
    return masked ?? list;
  }

  *#object(object: JsonObject, path: string): Parts<Json> {
    const entries: [string, Json][] = [];
    let isMasked = false;
    for (const key of Object.keys(object)) {
      const item = object[key] ?? null;
      const here = this.#paths.size === 0 ? "" : path === "" ? key : `${path}.${key}`;
      const { shown, isSecret } = this.#key(key);
      const hidden = item !== null && (isSecret || this.#paths.has(here));
      const kept = hidden ? REDACTED : isWalked(item) ? yield* this.walk(item, here) : this.#scalar(item);
      isMasked ||= kept !== item || shown !== key;
      entries.push([shown, kept]);
      if (this.#isPart()) yield;
    }
    return isMasked ? Object.fromEntries(entries) : object;
  }

  #key(key: string): { readonly shown: string; readonly isSecret: boolean } {
    const known = this.#keys.get(key);
    if (known !== undefined) return known;
    this.#characters += key.length;
    const judged = { shown: redactText(key, this.#configured), isSecret: isSecretKey(key, this.#names) };
    this.#keys.set(key, judged);
    return judged;
  }

  #isPart(): boolean {
    if (this.#values < PART_VALUES && this.#characters < PART_CHARACTERS) return false;
    this.#values = 0;
    this.#characters = 0;
    return true;
  }
}

/**
 * Masks secret shapes in a text, the configured shapes, and text that Postgres cannot store (NUL, half a surrogate
 * pair). A text that is a JSON document is redacted as one.
 */
export function redactText(text: string, configured: readonly string[]): string {
  return isDocument(text) ? (redact(text, configured) as string) : redactShapes(text, configured);
}

function redactShapes(text: string, configured: readonly string[]): string {
  const shaped = maskSecretShapes(storableText(text));
  return configured.includes(EMAIL_SHAPE) ? shaped.replace(EMAIL, REDACTED) : shaped;
}

/** The most characters of a stored name: every column with a name is indexed or listed. */
const MAX_NAME = 200;
/** The most characters of a stored sentence, such as a reason. */
const MAX_SENTENCE = 500;

/** A tool id whose operation consists of short words, such as `secret:list_items`: the text after its colon is no secret. */
const WORDED_ID = /^([A-Za-z0-9][A-Za-z0-9._-]{0,63}):([A-Za-z]{1,15}(?:[_-][A-Za-z]{1,15}){0,9})$/;

/** A name that a caller chose, in stored form: without secrets, and cut with a mark. */
export function storedName(name: string): string {
  const [, source, operation] = WORDED_ID.exec(name) ?? [];
  if (source !== undefined && operation !== undefined)
    return `${maskSecretShapes(source)}:${maskSecretShapes(operation)}`;
  return cut(maskSecretShapes(storableText(name.slice(0, 2 * MAX_NAME))), MAX_NAME);
}

/**
 * A sentence that may repeat texts of a caller or an upstream, in stored form: without secrets, and cut with a mark.
 */
export function storedSentence(text: string, configured: readonly string[]): string {
  return cut(redactText(text, configured), MAX_SENTENCE);
}

/** At most `most` characters of a text; a mark shows that it was cut. */
export function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, "")}…` : text;
}

/** Longer texts, and deeper documents, are masked by shapes only. */
const MAX_INNER_JSON = 256 * 1024;
const MAX_INNER_DEPTH = 64;

/** Whether a value has parts that are redacted one by one. */
function isWalked(value: Json): boolean {
  return typeof value === "string" ? isDocument(value) : typeof value === "object";
}

/** Whether a text looks like a JSON list or object. */
function isDocument(text: string): boolean {
  return text.length >= 7 && text.length <= MAX_INNER_JSON && /^\s{0,100}[[{]/.test(text);
}

function parseDocument(text: string): Json {
  try {
    const value = JSON.parse(text) as Json;
    return isDeeper(value, MAX_INNER_DEPTH) ? null : value;
  } catch {
    return null;
  }
}

function isSecretKey(key: string, configured: ReadonlySet<string>): boolean {
  const name = normalised(key);
  return NAMES.has(name) || configured.has(name) || ENDINGS.some((ending) => name.endsWith(ending));
}

function normalised(key: string): string {
  return key.toLowerCase().replaceAll(/[-_\s]/g, "");
}
