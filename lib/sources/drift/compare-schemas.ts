import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { isObject, member } from "@/lib/sources/openapi/json-view";
import { isSame } from "@/lib/sources/drift/upstream-definition";

/** The place of a change that is of no property, but of the schema itself. */
export const WHOLE = "(whole)";

/** How one JSON Schema differs from another, as places such as `passenger.name`, or `WHOLE`. */
export interface SchemaChange {
  /** Takes more than before. */
  readonly widened: readonly string[];
  /** Takes less than before, or may: what cannot be compared counts as this too. */
  readonly narrowed: readonly string[];
  /** Only says something else: titles, descriptions, examples, defaults. */
  readonly worded: readonly string[];
}

type Effect = keyof SchemaChange;
type Compare = (before: Json | undefined, after: Json | undefined, at: string, tell: Tell) => void;
type Tell = (effect: Effect, at: string) => void;

const WORDS = ["title", "description", "examples", "example", "default", "deprecated", "$comment"];
const ABOVE = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];
const BELOW = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];

/** The keywords of which we know in what direction they changed; of all others we only know that they did. */
const KEYWORDS: Readonly<Record<string, Compare>> = {
  ...Object.fromEntries(
    WORDS.map((word): [string, Compare] => [word, (_before, _after, at, tell) => tell("worded", at)]),
  ),
  ...Object.fromEntries(ABOVE.map((word): [string, Compare] => [word, bound((before, after) => after > before)])),
  ...Object.fromEntries(BELOW.map((word): [string, Compare] => [word, bound((before, after) => after < before)])),
  properties: members(true),
  $defs: members(false),
  // A list of names that must be there: one more is one thing less that is taken.
  required: (before, after, at, tell) => compareSets(listOf(after), listOf(before), at, tell),
  enum: values,
  type: values,
  items: (before, after, at, tell) => compare(before, after, `${at}[]`, tell),
  additionalProperties: (before = true, after = true, at, tell) => {
    if (before === false || after === true) tell("widened", at);
    else if (before === true || after === false) tell("narrowed", at);
    else compare(before, after, `${at}.*`, tell);
  },
};

/**
 * What a new schema takes that the old one did not, and the other way round. It never calls a change harmless that
 * is none: a keyword that it does not understand counts as widened and narrowed.
 */
export function compareSchemas(before: JsonObject, after: JsonObject): SchemaChange {
  const found: Record<Effect, Set<string>> = { widened: new Set(), narrowed: new Set(), worded: new Set() };
  compare(before, after, "", (effect, at) => found[effect].add(at.replace(/^\./, "") || WHOLE));
  return { widened: [...found.widened], narrowed: [...found.narrowed], worded: [...found.worded] };
}

function compare(before: Json | undefined, after: Json | undefined, at: string, tell: Tell): void {
  if (before !== undefined && after !== undefined && isSame(before, after)) return;
  if (!isObject(before) || !isObject(after)) return either(at, tell);
  for (const keyword of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [member(before, keyword), member(after, keyword)];
    if (was !== undefined && is !== undefined && isSame(was, is)) continue;
    const known = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword] : undefined;
    if (known === undefined) either(at, tell);
    else known(was, is, at, tell);
  }
}

function either(at: string, tell: Tell): void {
  tell("widened", at);
  tell("narrowed", at);
}

/** Schemas by name. A property that is not named before is one more thing to send; a definition alone is nothing. */
function members(counts: boolean): Compare {
  return (before = {}, after = {}, at, tell) => {
    if (!isObject(before) || !isObject(after)) return either(at, tell);
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const [was, is] = [member(before, name), member(after, name)];
      const place = counts ? `${at}.${name}` : `${at}.$defs.${name}`;
      if (was !== undefined && is !== undefined) compare(was, is, place, tell);
      else if (counts) tell(was === undefined ? "widened" : "narrowed", place);
    }
  };
}

/** A number that lets more through when `wider`; without it everything is let through. */
function bound(wider: (before: number, after: number) => boolean): Compare {
  return (before, after, at, tell) => {
    if (after === undefined) tell("widened", at);
    else if (before === undefined) tell("narrowed", at);
    else if (typeof before === "number" && typeof after === "number")
      tell(wider(before, after) ? "widened" : "narrowed", at);
    else either(at, tell);
  };
}

/** Values that are let through; absent = all of them. */
function values(before: Json | undefined, after: Json | undefined, at: string, tell: Tell): void {
  if (after === undefined) tell("widened", at);
  else if (before === undefined) tell("narrowed", at);
  else compareSets(listOf(before), listOf(after), at, tell);
}

function compareSets(before: readonly Json[], after: readonly Json[], at: string, tell: Tell): void {
  const lacks = (all: readonly Json[]) => (one: Json) => !all.some((other) => isSame(one, other));
  if (after.some(lacks(before))) tell("widened", at);
  if (before.some(lacks(after))) tell("narrowed", at);
}

function listOf(value: Json | undefined): readonly Json[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? (value as readonly Json[]) : [value];
}
