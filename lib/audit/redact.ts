import type { Json } from "@/lib/access/configuration";
import { EMAIL_SHAPE, MASK } from "@/lib/resources/words";

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
  /\bqmp?_[A-Za-z0-9_-]{16,}/g,
  /\b(?:sk|pk|rk)[-_](?:live|test|proj|ant)[-_][A-Za-z0-9_-]{8,}/g,
  /\bsk-[A-Za-z0-9]{20,}/g,
  /\bgh[pousr]_[A-Za-z0-9]{20,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/g,
  /\bxox[abprs]-[A-Za-z0-9-]{10,}/g,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g,
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(?:[^-]|-(?!----)){0,8192}(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?/g,
];

/** A JWT; or a text that begins as one, which is taken too and left as it is, lest it is scanned again from each of its parts. */
const JWT = /\beyJ[A-Za-z0-9_-]{8,}(\.[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]*)?/g;

/** Shapes in which only the secret part goes: `scheme://user:password@host`. */
const URL_PASSWORD = /\b([a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@]{1,256}):[^\s/@]{1,256}@/gi;

/** Personal, not secret: masked where the installation wants it (RFC 5321, 4.1.2 and 4.5.3.1, without quotes). */
const EMAIL = /(?<![A-Za-z0-9])[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}/g;

/**
 * A copy of a value without its secrets, made before anything is stored (4-execution, The log): values under
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
 * pair) too.
 */
export function redactText(text: string, configured: readonly string[]): string {
  const storable = text.replaceAll("\0", "\uFFFD").replaceAll(/\p{Surrogate}/gu, "\uFFFD");
  const shaped = SHAPES.reduce((rest, shape) => rest.replace(shape, REDACTED), storable);
  const withoutTokens = shaped.replace(JWT, (run, parts?: string) => (parts === undefined ? run : REDACTED));
  const withoutPasswords = withoutTokens.replace(URL_PASSWORD, `$1:${REDACTED}@`);
  return configured.includes(EMAIL_SHAPE) ? withoutPasswords.replace(EMAIL, REDACTED) : withoutPasswords;
}

function isTelling(key: string, configured: ReadonlySet<string>): boolean {
  const name = normalised(key);
  return NAMES.has(name) || configured.has(name) || ENDINGS.some((ending) => name.endsWith(ending));
}

function normalised(key: string): string {
  return key.toLowerCase().replaceAll(/[-_\s]/g, "");
}
