import type { Json } from "@/lib/access/model/configuration";
import { isDeeper } from "@/lib/access/model/depth";
import { EMAIL_SHAPE, MASK } from "@/lib/resources/parts/words";
import { maskSecretShapes } from "@/lib/telemetry/secret-shapes";

/** What stands where a secret was. */
export const REDACTED = MASK;

/**
 * Key names whose values are never stored, compared without case, `-` and `_`. A key matches when its
 * normalised name is one of these or ends with one of the endings.
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

/** Personal, not secret: masked where the installation wants it (RFC 5321, 4.1.2 and 4.5.3.1, without quotes). */
const EMAIL = /(?<![A-Za-z0-9])[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}/g;

/**
 * A copy of a value without its secrets, made before anything is stored (docs/reference/log.md#rows): values under
 * telling key names, under configured names and dotted paths, and secret shapes inside text.
 *
 * @param configured `settings.redact`: key names (anywhere), dotted paths from the root (`card.number`), `shape:email`
 */
export function redact(value: Json, configured: readonly string[] = []): Json {
  const paths = new Set(configured.filter((entry) => entry.includes(".")));
  const names = new Set(configured.filter((entry) => !entry.includes(".")).map(normalised));
  const walk = (inner: Json, path: string): Json => {
    if (typeof inner === "string") return redactText(inner, configured);
    if (typeof inner !== "object" || inner === null) return inner;
    if (Array.isArray(inner)) return inner.map((item: Json) => walk(item, path));
    return Object.fromEntries(
      Object.entries(inner).map(([key, item]) => {
        const here = path === "" ? key : `${path}.${key}`;
        const hidden = item !== null && (paths.has(here) || isTelling(key, names));
        return [redactText(key, configured), hidden ? REDACTED : walk(item, here)];
      }),
    );
  };
  return walk(value, "");
}

/**
 * Secret shapes in one text, replaced, and those that are `configured`; and what Postgres cannot store (NUL, half a surrogate
 * pair) too. A text that is a JSON document is masked as one.
 */
export function redactText(text: string, configured: readonly string[]): string {
  const inside = insideJson(text, configured);
  if (inside !== null) return inside;
  const shaped = maskSecretShapes(storable(text));
  return configured.includes(EMAIL_SHAPE) ? shaped.replace(EMAIL, REDACTED) : shaped;
}

/** The most of a name that is kept, in characters: every column that holds one is indexed or listed. */
const MAX_NAME = 200;
/** The same of a sentence, such as a reason. */
const MAX_SENTENCE = 500;

/** A name that a caller chose, as it is stored: without secrets, and cut with a mark. */
export function storedName(name: string): string {
  return cut(maskSecretShapes(storable(name.slice(0, 2 * MAX_NAME))), MAX_NAME);
}

/** A sentence that may repeat what a caller or an upstream said, as it is stored: without secrets, and cut with a mark. */
export function storedSentence(text: string, configured: readonly string[]): string {
  return cut(redactText(text, configured), MAX_SENTENCE);
}

/** At most so many characters of a text; the mark shows that there was more. */
export function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, "")}…` : text;
}

function storable(text: string): string {
  return text.replaceAll("\0", "\uFFFD").replaceAll(/\p{Surrogate}/gu, "\uFFFD");
}

/** Longer texts, and deeper documents, are masked by their shapes alone. */
const MAX_INNER_JSON = 256 * 1024;
const MAX_INNER_DEPTH = 64;

function insideJson(text: string, configured: readonly string[]): string | null {
  if (text.length < 7 || text.length > MAX_INNER_JSON || !/^\s{0,100}[[{]/.test(text)) return null;
  try {
    const value = JSON.parse(text) as Json;
    if (isDeeper(value, MAX_INNER_DEPTH)) return null;
    const masked = redact(value, configured);
    const [before, after] = [JSON.stringify(value), JSON.stringify(masked)];
    return before === after ? null : after;
  } catch {
    return null;
  }
}

function isTelling(key: string, configured: ReadonlySet<string>): boolean {
  const name = normalised(key);
  return NAMES.has(name) || configured.has(name) || ENDINGS.some((ending) => name.endsWith(ending));
}

function normalised(key: string): string {
  return key.toLowerCase().replaceAll(/[-_\s]/g, "");
}
