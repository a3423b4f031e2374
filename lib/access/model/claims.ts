import { isDeeper, isList } from "@/lib/access/model/json";
import type { Json, JsonObject } from "@/lib/access/model/configuration";
import type { Problem } from "@/lib/access/model/problem";

/** One step of a claim path: a key of an object, or an index of a list. */
export type ClaimStep = string | number;

/** A parsed claim path; never empty. */
export interface ClaimPath {
  readonly text: string;
  readonly steps: readonly ClaimStep[];
  /** True when the path names a prototype: no claim is ever found there. */
  readonly hopeless: boolean;
}

/** The `iss` of callers with an API key (docs/reference/http.md#authentication). No configured issuer may use it. */
export const OWN_ISSUER = "quartermaster";

/** The claim that holds the capabilities in tokens of our own authorization server. */
export const OWN_CAPABILITIES_CLAIM = "scope";

/** The largest claims object, in bytes of UTF-8 JSON (docs/reference/decision.md#caps). */
const MAX_CLAIM_BYTES = 64 * 1024;
/** The deepest nesting of objects and lists in claims, including the claims object. */
const MAX_CLAIM_DEPTH = 8;

/**
 * Names that lead to prototypes. No claim is found under them, not even an own property
 * (docs/reference/decision.md#claim-paths).
 */
const NEVER_FOUND: ReadonlySet<ClaimStep> = new Set(["__proto__", "constructor"]);

/**
 * Parses a claim path: dot-separated keys (`realm_access.roles`), keys with dots in brackets and quotes
 * (`["https://example.com/roles"]`), list indexes in brackets (`groups[0]`). docs/reference/decision.md#claim-paths
 */
export function parseClaimPath(text: string): ClaimPath | Problem {
  const steps: ClaimStep[] = [];
  let at = 0;
  while (at < text.length) {
    const step = text[at] === "[" ? bracketStep(text, at) : keyStep(text, steps.length === 0 ? at : at + 1, at);
    if ("problem" in step) return step;
    steps.push(step.value);
    at = step.end;
  }
  return steps.length === 0
    ? { problem: "name a claim path" }
    : { text, steps, hopeless: steps.some((step) => NEVER_FOUND.has(step)) };
}

interface ParsedStep {
  readonly value: ClaimStep;
  readonly end: number;
}

/** A bare key. After the first step it must follow a dot, whose position is `dot`. */
function keyStep(text: string, start: number, dot: number): ParsedStep | Problem {
  if (start !== dot && text[dot] !== ".")
    return { problem: `expected "." or "[" at position ${dot + 1} of the claim path` };
  let end = start;
  while (!".[]".includes(text[end] ?? ".")) end += 1;
  if (end === start) return { problem: `empty key at position ${start + 1} of the claim path` };
  if (text[end] === "]") return { problem: `"]" without "[" at position ${end + 1} of the claim path` };
  return { value: text.slice(start, end), end };
}

/** `[12]`, or `["any key"]` with the key written as a JSON string. */
function bracketStep(text: string, start: number): ParsedStep | Problem {
  if (text[start + 1] === '"') return quotedStep(text, start);
  const close = text.indexOf("]", start);
  const digits = close < 0 ? "" : text.slice(start + 1, close);
  if (!/^\d{1,9}$/.test(digits))
    return { problem: `write a list index or a quoted key in the brackets at position ${start + 1} of the claim path` };
  return { value: Number(digits), end: close + 1 };
}

function quotedStep(text: string, start: number): ParsedStep | Problem {
  let close = start + 2;
  while (close < text.length && text[close] !== '"') close += text[close] === "\\" ? 2 : 1;
  const key = text[close + 1] === "]" ? parseString(text.slice(start + 1, close + 1)) : null;
  if (key === null) return { problem: `the bracket at position ${start + 1} of the claim path holds no key in quotes` };
  return { value: key, end: close + 2 };
}

function parseString(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? value : null;
  } catch {
    return null;
  }
}

/**
 * The value at a path; `undefined` when there is none. Reads own properties of plain objects only. An index finds
 * nothing in a value that is no list, and a key finds nothing in a list.
 */
export function readClaim(claims: JsonObject, path: ClaimPath): Json | undefined {
  if (path.hopeless) return undefined;
  let value: Json | undefined = claims;
  for (const step of path.steps) {
    if (typeof value !== "object" || value === null) return undefined;
    value = typeof step === "number" ? readIndex(value, step) : readKey(value, step);
  }
  return value;
}

function readIndex(value: readonly Json[] | JsonObject, index: number): Json | undefined {
  return isList(value) ? value[index] : undefined;
}

function readKey(value: readonly Json[] | JsonObject, key: string): Json | undefined {
  if (isList(value) || !Object.hasOwn(value, key)) return undefined;
  return value[key];
}

/** The claims that name the OAuth client of a token: `client_id` (RFC 9068), else `azp` (OpenID Connect). */
export const CLIENT_CLAIMS = ["client_id", "azp"] as const;

/** The OAuth client that claims name; `null` without one. */
export function clientOf(claims: JsonObject): string | null {
  for (const name of CLIENT_CLAIMS) {
    const claim = readKey(claims, name);
    if (typeof claim === "string" && claim !== "") return claim;
  }
  return null;
}

/** Claims that already passed both checks: a caller's claims are the same object from request to request. */
const bounded = new WeakSet<JsonObject>();

/** Refuses claims that are too deep or too large, before other code reads them (docs/reference/decision.md#caps). */
export function boundClaims(claims: JsonObject): Problem | null {
  if (bounded.has(claims)) return null;
  if (isDeeper(claims, MAX_CLAIM_DEPTH)) return { problem: `claims may be nested at most ${MAX_CLAIM_DEPTH} deep` };
  const text = JSON.stringify(claims);
  // A UTF-16 unit is at most three bytes of UTF-8.
  if (text.length * 3 > MAX_CLAIM_BYTES && new TextEncoder().encode(text).length > MAX_CLAIM_BYTES)
    return { problem: `claims may have at most ${MAX_CLAIM_BYTES / 1024} KiB as JSON` };
  bounded.add(claims);
  return null;
}
