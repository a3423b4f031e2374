import { canonicalText } from "@/lib/access/model/canonical";
import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { isObject } from "@/lib/access/model/json";
import { member } from "@/lib/sources/openapi/json-view";
import { isSame } from "@/lib/sources/drift/upstream-definition";

/** The place of a change to the schema itself, not to one property. */
export const WHOLE = "(whole)";

/** How one JSON Schema differs from another, as places such as `passenger.name`, or `WHOLE`. */
interface SchemaChange {
  /** New properties, which accept more than before. */
  readonly added: readonly string[];
  /** Accepts more than before, besides new properties. */
  readonly widened: readonly string[];
  /** Accepts less than before, or perhaps less: a change that cannot be compared counts too. */
  readonly narrowed: readonly string[];
  /** Only texts differ: titles, descriptions, examples, defaults. */
  readonly worded: readonly string[];
}

type Effect = keyof SchemaChange;
type Compare = (before: Json | undefined, after: Json | undefined, at: string, report: Report) => void;
type Report = (effect: Effect, at: string) => void;

const WORDS = ["title", "description", "examples", "example", "default", "deprecated", "$comment"];
const ABOVE = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];
const BELOW = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];

/** The keywords whose changes have a known direction. A change of any other keyword counts as both. */
const KEYWORDS: Readonly<Record<string, Compare>> = {
  ...Object.fromEntries(
    WORDS.map((word): [string, Compare] => [word, (_before, _after, at, report) => report("worded", at)]),
  ),
  ...Object.fromEntries(ABOVE.map((word): [string, Compare] => [word, bound((before, after) => after > before)])),
  ...Object.fromEntries(BELOW.map((word): [string, Compare] => [word, bound((before, after) => after < before)])),
  properties: members(true),
  $defs: members(false),
  // One more required name accepts less. The place is the property, not its object.
  required: (before, after, at, report) => {
    const [was, is] = [listOf(before), listOf(after)];
    for (const name of is.filter(lacking(was))) report("narrowed", `${at}.${String(name)}`);
    for (const name of was.filter(lacking(is))) report("widened", `${at}.${String(name)}`);
  },
  enum: values,
  type: values,
  items: (before, after, at, report) => compare(before, after, `${at}[]`, report),
  additionalProperties: (before = true, after = true, at, report) => {
    if (before === false || after === true) report("widened", at);
    else if (before === true || after === false) report("narrowed", at);
    else compare(before, after, `${at}.*`, report);
  },
};

/**
 * Compares what two schemas accept. Never reports a harmful change as harmless: a change of an unknown keyword counts as
 * widened and narrowed.
 */
export function compareSchemas(before: JsonObject, after: JsonObject): SchemaChange {
  const found: Record<Effect, Set<string>> = {
    added: new Set(),
    widened: new Set(),
    narrowed: new Set(),
    worded: new Set(),
  };
  compare(before, after, "", (effect, at) => found[effect].add(at.replace(/^\./, "") || WHOLE));
  return {
    added: [...found.added],
    widened: [...found.widened],
    narrowed: [...found.narrowed],
    worded: [...found.worded],
  };
}

function compare(before: Json | undefined, after: Json | undefined, at: string, report: Report): void {
  if (before !== undefined && after !== undefined && isSame(before, after)) return;
  if (!isObject(before) || !isObject(after)) return either(at, report);
  for (const keyword of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [member(before, keyword), member(after, keyword)];
    if (was !== undefined && is !== undefined && isSame(was, is)) continue;
    const known = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword] : undefined;
    if (known === undefined) either(at, report);
    else known(was, is, at, report);
  }
}

function either(at: string, report: Report): void {
  report("widened", at);
  report("narrowed", at);
}

/** Compares schemas by name. A new property widens the schema; a new definition changes nothing by itself. */
function members(counts: boolean): Compare {
  return (before = {}, after = {}, at, report) => {
    if (!isObject(before) || !isObject(after)) return either(at, report);
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const [was, is] = [member(before, name), member(after, name)];
      const place = counts ? `${at}.${name}` : `${at}.$defs.${name}`;
      if (was !== undefined && is !== undefined) compare(was, is, place, report);
      else if (counts) report(was === undefined ? "added" : "narrowed", place);
    }
  };
}

/** Compares a limit. `wider`: whether the new limit accepts more. Without a limit, every value is accepted. */
function bound(wider: (before: number, after: number) => boolean): Compare {
  return (before, after, at, report) => {
    if (after === undefined) report("widened", at);
    else if (before === undefined) report("narrowed", at);
    else if (typeof before === "number" && typeof after === "number")
      report(wider(before, after) ? "widened" : "narrowed", at);
    else either(at, report);
  };
}

/** Compares lists of accepted values; absent = all values. */
function values(before: Json | undefined, after: Json | undefined, at: string, report: Report): void {
  if (after === undefined) report("widened", at);
  else if (before === undefined) report("narrowed", at);
  else compareSets(listOf(before), listOf(after), at, report);
}

function compareSets(before: readonly Json[], after: readonly Json[], at: string, report: Report): void {
  if (after.some(lacking(before))) report("widened", at);
  if (before.some(lacking(after))) report("narrowed", at);
}

function lacking(all: readonly Json[]): (one: Json) => boolean {
  const known = new Set(all.map(canonicalText));
  return (one) => !known.has(canonicalText(one));
}

function listOf(value: Json | undefined): readonly Json[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? (value as readonly Json[]) : [value];
}
