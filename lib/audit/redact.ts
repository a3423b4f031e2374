import type { Json } from "@/lib/access/configuration";
import { MASK } from "@/lib/resources/words";

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

/**
 * Shapes of secrets inside text. Callers choose the text, so every pattern either takes all it has scanned
 * or scans a bounded part: no text makes them slow.
 */
const SHAPES: readonly RegExp[] = [
  /\b(?:bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi,
  /\beyJ[A-Za-z0-9_-]{8,512}\.[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]*/g,
  /\bqmp?_[A-Za-z0-9_-]{16,}/g,
  /\b(?:sk|pk|rk)[-_](?:live|test|proj|ant)[-_][A-Za-z0-9_-]{8,}/g,
  /\bsk-[A-Za-z0-9]{20,}/g,
  /\bgh[pousr]_[A-Za-z0-9]{20,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/g,
  /\bxox[abprs]-[A-Za-z0-9-]{10,}/g,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g,
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(?:[^-]|-(?!----)){0,8192}(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?/g,
];

/** Shapes in which only the secret part goes: `scheme://user:password@host`. */
const URL_PASSWORD = /\b([a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@]{1,256}):[^\s/@]{1,256}@/gi;

/**
 * A copy of a value without its secrets, made before anything is stored (4-execution, The log): values under
 * telling key names, under configured names and dotted paths, and secret shapes inside text.
 *
 * @param configured `settings.redact`: key names (anywhere) or dotted paths from the root (`card.number`)
 */
export function redact(value: Json, configured: readonly string[] = []): Json {
  const paths = new Set(configured.filter((entry) => entry.includes(".")));
  const names = new Set(configured.filter((entry) => !entry.includes(".")).map(normalised));
  return walk(value, "", names, paths);
}

function walk(value: Json, path: string, names: ReadonlySet<string>, paths: ReadonlySet<string>): Json {
  if (typeof value === "string") return redactText(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Json) => walk(item, path, names, paths));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const here = path === "" ? key : `${path}.${key}`;
      const hidden = item !== null && (paths.has(here) || isTelling(key, names));
      return [redactText(key), hidden ? REDACTED : walk(item, here, names, paths)];
    }),
  );
}

/** Secret shapes in one text, replaced; and what Postgres cannot store (NUL, half a surrogate pair) too. */
export function redactText(text: string): string {
  const storable = text.replaceAll("\0", "\uFFFD").replaceAll(/\p{Surrogate}/gu, "\uFFFD");
  const shaped = SHAPES.reduce((rest, shape) => rest.replace(shape, REDACTED), storable);
  return shaped.replace(URL_PASSWORD, `$1:${REDACTED}@`);
}

function isTelling(key: string, configured: ReadonlySet<string>): boolean {
  const name = normalised(key);
  return NAMES.has(name) || configured.has(name) || ENDINGS.some((ending) => name.endsWith(ending));
}

function normalised(key: string): string {
  return key.toLowerCase().replaceAll(/[-_\s]/g, "");
}
