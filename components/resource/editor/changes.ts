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

/** Every change in words; `wording` says how an item of a list field reads. */
export function sentencesOf(
  changes: readonly Change[],
  wording: Partial<Record<string, (item: never) => string>> = {},
): readonly Sentence[] {
  return changes.flatMap(({ field, before, after }) => {
    const name = wordsOf(field);
    if (!Array.isArray(before) || !Array.isArray(after))
      return [{ sign: "~", text: `${name}: ${inWords(before)} → ${inWords(after)}` }];
    const say = (wording[field] ?? inWords) as (item: unknown) => string;
    const removed = before.filter((item) => !after.some((other) => same(item, other)));
    const added = after.filter((item) => !before.some((other) => same(item, other)));
    if (removed.length === 0 && added.length === 0) return [{ sign: "~", text: `${name}: order changed` }];
    return [
      ...removed.map((item): Sentence => ({ sign: "−", text: `${name}: ${say(item)}` })),
      ...added.map((item): Sentence => ({ sign: "+", text: `${name}: ${say(item)}` })),
    ];
  });
}

/** `availableInStates` → `available in states`. */
export function wordsOf(field: string): string {
  return field.replaceAll(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** A value, short enough for a sentence. The three values of a list read differently. */
function inWords(value: unknown): string {
  if (value === null || value === undefined) return "not stated";
  if (value === "") return "empty";
  if (value === true) return "on";
  if (value === false) return "off";
  if (typeof value === "string") return short(`“${value}”`);
  if (Array.isArray(value) && value.length === 0) return "none";
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return short(value.join(", "));
  return short(JSON.stringify(value));
}

function short(text: string): string {
  return text.length > 120 ? `${text.slice(0, 117)}…` : text;
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
