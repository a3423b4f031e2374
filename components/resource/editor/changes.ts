import { counted } from "@/components/ui/counted";
import { upperFirst } from "@/components/ui/text/letter-case";
import { isObject } from "@/lib/access/model/json";
import { operatorSentence } from "@/lib/access/model/matcher";
import { fieldInWords, wordsOf } from "@/lib/contracts/changes/row-words";

/** One top-level field that differs. */
export interface Change {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** A change in words: `+` adds, `−` takes away, `~` alters. */
export interface Sentence {
  readonly sign: "+" | "−" | "~";
  readonly text: string;
  /** The list that follows a text ending with a colon. */
  readonly items?: readonly string[];
}

/** The fields in which two values differ, in the order of the second's fields. */
export function changesOf(before: object, after: object): readonly Change[] {
  const left = before as Record<string, unknown>;
  const right = after as Record<string, unknown>;
  const fields = [...new Set([...Object.keys(right), ...Object.keys(left)])];
  return fields
    .filter((field) => !same(left[field], right[field]))
    .map((field) => ({ field, before: left[field], after: right[field] }));
}

/** The path of the first difference, such as `limits.perDay`; a path never enters a list. `null` = no difference. */
export function firstChangedPath(before: object, after: object): string | null {
  const [first] = changesOf(before, after);
  if (first === undefined) return null;
  const { field, before: old, after: next } = first;
  const deeper = isObject(old) && isObject(next) ? firstChangedPath(old, next) : null;
  return deeper === null ? field : `${field}.${deeper}`;
}

/**
 * Every change in words; `wording` says how an item of a list field reads. Objects are compared field by field, so that no
 * sentence holds JSON.
 */
export function sentencesOf(
  changes: readonly Change[],
  wording: Partial<Record<string, (item: never) => string>> = {},
): readonly Sentence[] {
  return changes.flatMap(({ field, before, after }) =>
    sentencesAbout(fieldInWords(field), before, after, wording[field] as ((item: unknown) => string) | undefined),
  );
}

/** The fields of a new row in words. The form's initial values are no old values: they were never stored. */
export function sentencesOfNew(
  changes: readonly Change[],
  wording: Partial<Record<string, (item: never) => string>> = {},
): readonly Sentence[] {
  const added = changes.map(({ field, after }) => ({
    field,
    before: Array.isArray(after) && after.length > 0 ? [] : "",
    after,
  }));
  return sentencesOf(added, wording);
}

/** Every field of a created or deleted row in words, without empty ones. */
export function statedInWords(row: object, sign: "+" | "−"): readonly Sentence[] {
  return Object.entries(row).flatMap(([field, value]): Sentence[] => {
    if (isBlank(value)) return [];
    const name = fieldInWords(field);
    if (Array.isArray(value) && value.length <= MAX_PARTS && value.some((item) => isObject(item)))
      return value.map((item) => ({ sign, text: `${name}: ${inWords(item)}` }));
    return [{ sign, text: `${name}: ${inWords(value)}` }];
  });
}

/** Most sentences about one object. A larger change, such as that of a schema, is one sentence. */
const MAX_PARTS = 8;

function sentencesAbout(
  name: string,
  before: unknown,
  after: unknown,
  itemText?: (item: unknown) => string,
): readonly Sentence[] {
  if (Array.isArray(before) && Array.isArray(after)) return sentencesAboutLists(name, before, after, itemText);
  if (before === "") return [{ sign: "+", text: `${name}: ${inWords(after, name)}` }];
  if (!isObject(before) || !isObject(after) || isRate(before) || isRate(after))
    return [{ sign: "~", text: `${name}: ${inWords(before, name)} → ${inWords(after, name)}` }];
  const parts = changesOf(before, after).flatMap((part) =>
    sentencesAbout(partName(name, part.field), part.before, part.after),
  );
  return parts.length <= MAX_PARTS ? parts : [{ sign: "~", text: `${name}: ${parts.length} changes` }];
}

function sentencesAboutLists(
  name: string,
  before: readonly unknown[],
  after: readonly unknown[],
  itemText = (item: unknown) => inWords(item),
): readonly Sentence[] {
  const removed = before.filter((item) => !after.some((other) => same(item, other)));
  const added = after.filter((item) => !before.some((other) => same(item, other)));
  if (removed.length === 0 && added.length === 0) return [{ sign: "~", text: `${name}: order changed` }];
  const [old, next] = [removed[0], added[0]];
  if (removed.length === 1 && added.length === 1)
    return [{ sign: "~", text: `${name}: ${itemText(old)} → ${itemText(next)}` }];
  return [
    ...removed.map((item): Sentence => ({ sign: "−", text: `${name}: ${itemText(item)}` })),
    ...added.map((item): Sentence => ({ sign: "+", text: `${name}: ${itemText(item)}` })),
  ];
}

/** Limits read "limit per day" instead of "limits › per day". */
const LIMIT_WORDS: Readonly<Record<string, string>> = {
  rate: "limit",
  perDay: "limit per day",
  concurrency: "limit of concurrent calls",
  perCaller: "limits per caller",
};

function partName(name: string, field: string): string {
  if (name === fieldInWords("jwks") && field === "keys") return name;
  const whose = name === "limits per caller" ? " per caller" : "";
  const limit = name === "limits" || whose !== "" ? LIMIT_WORDS[field] : undefined;
  return limit === undefined ? `${name} › ${wordsOf(field)}` : `${limit}${whose}`;
}

/** `matchers[1].claim` → "Condition 2", as the form calls it; `capabilities[0]` → "Capability 1". */
export function placeInWords(path: string): string {
  const [, field = "", row] = /^([^.[]*)(?:\[(\d+)\])?/.exec(path) ?? [];
  const formWords = fieldInWords(path);
  // The form names some nested fields, such as `review.changes`. Others have the name of their top-level field.
  const word = formWords === wordsOf(path) ? fieldInWords(field) : formWords;
  const text = row === undefined ? word : `${word.replace(/ies$/, "ys").replace(/s$/, "")} ${Number(row) + 1}`;
  return upperFirst(text);
}

/** A value, short enough for a sentence. The lists `null`, `[]` and `["*"]` must read differently. */
function inWords(value: unknown, name = ""): string {
  if (value === null || value === undefined) return name.startsWith("limit") ? "none" : "not set";
  if (value === "") return "empty";
  if (value === true) return "on";
  if (value === false) return "off";
  if (typeof value === "string") return truncate(`“${value}”`);
  if (typeof value === "number") return value.toLocaleString("en");
  if (Array.isArray(value)) return value.length === 0 ? "none" : truncate(value.map(itemInWords).join(", "));
  return isObject(value) ? truncate(recordInWords(value)) : String(value);
}

function itemInWords(item: unknown): string {
  return typeof item === "string" ? item : inWords(item);
}

const PERIODS: Readonly<Record<number, string>> = { 1: "second", 60: "minute", 3600: "hour", 86_400: "day" };

/** An object in words: a rate, a public key, a condition, or its fields without empty ones. */
function recordInWords(value: Readonly<Record<string, unknown>>): string {
  if (isRate(value)) return rateInWords(value);
  if (typeof value["kty"] === "string") return keyInWords(value);
  if (Array.isArray(value["keys"]) && Object.keys(value).length === 1) return inWords(value["keys"]);
  const { claim, operator, tool, reason } = value;
  // A tool that a person included in a group or excluded from it.
  if (typeof tool === "string" && "who" in value && "when" in value)
    return typeof reason === "string" && reason !== "" ? `${tool} (${reason})` : tool;
  if (typeof claim === "string" && typeof operator === "string")
    return `${claim} ${operatorSentence(operator)}${value["value"] === null ? "" : ` ${inWords(value["value"])}`}`;
  const stated = Object.entries(value).filter(([, part]) => !isBlank(part));
  if (stated.length === 0) return "empty";
  return stated
    .map(([field, part]) => `${wordsOf(field)} ${isObject(part) ? `(${inWords(part)})` : inWords(part)}`)
    .join(", ");
}

/** A public key (RFC 7517) by its id and algorithm. The key itself tells a reader nothing. */
function keyInWords({ kid, alg, crv, kty }: Readonly<Record<string, unknown>>): string {
  const kind = [alg, crv, kty].find((word) => typeof word === "string");
  return typeof kid === "string" ? `${inWords(kid)} (${String(kind)})` : `${String(kind)} key`;
}

/** `60 calls per minute`. */
export function rateInWords({ points, seconds }: Rate): string {
  return `${counted(points, "call")} per ${PERIODS[seconds] ?? `${seconds.toLocaleString("en")} seconds`}`;
}

function isBlank(value: unknown): boolean {
  return (
    value === null || value === false || value === "" || (typeof value === "object" && Object.keys(value).length === 0)
  );
}

/** A number of calls in a window of time, as limits state it. */
interface Rate {
  readonly points: number;
  readonly seconds: number;
}

function isRate(value: unknown): value is Rate {
  return isObject(value) && typeof value["points"] === "number" && typeof value["seconds"] === "number";
}

function truncate(text: string): string {
  return text.length > 120 ? `${text.slice(0, 117)}…` : text;
}

/** Recalls the description of a policy whose argument conditions change alone: agents read it as the reason of a refusal. */
export function sentencesOnDescription(
  row: object | null | undefined,
  changes: readonly Change[],
): readonly Sentence[] {
  const { description, arguments: conditions } = (row ?? {}) as Readonly<Record<string, unknown>>;
  const isChanged = (name: string) => changes.some(({ field }) => field === name);
  if (!isChanged("arguments") || isChanged("description") || typeof description !== "string") return [];
  if (description.trim() === "" || !Array.isArray(conditions) || conditions.length === 0) return [];
  const text = `Agents read this policy's description when it refuses their arguments: “${description.trim()}”`;
  return [{ sign: "~", text }];
}

/** Whether two values are equal JSON, in any order of keys. */
export function same(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const [a, b] = [left as Record<string, unknown>, right as Record<string, unknown>];
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]));
}
