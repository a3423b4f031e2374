import { diffArrays, diffWordsWithSpace, type ChangeObject } from "diff";

/** One line of two values side by side; `null` = there is none on that side. */
export interface LinePair {
  readonly before: { readonly number: number; readonly text: string } | null;
  readonly after: { readonly number: number; readonly text: string } | null;
  readonly same: boolean;
}

/** The most milliseconds for a comparison of two values, which blocks the page. */
const MAX_MS = 500;

/** The most differing words of two lines that are looked for: the time of a search grows with their square. */
const MAX_WORDS = 500;

/** Unchanged lines shown around a change. */
const CONTEXT = 3;

/**
 * Pairs the lines of two values as JSON with sorted members, so that only differences in meaning show. `undefined` has no
 * lines. Values with too many differences are paired in order, with every line changed.
 */
export function linePairs(before: unknown, after: unknown): LinePair[] {
  const pairs: LinePair[] = [];
  let [left, right] = [0, 0];
  let gone: string[] = [];
  const push = (was: string | undefined, is: string | undefined, same: boolean) =>
    pairs.push({
      before: was === undefined ? null : { number: ++left, text: was },
      after: is === undefined ? null : { number: ++right, text: is },
      same,
    });
  const flush = (come: readonly string[]) => {
    for (let at = 0; at < Math.max(gone.length, come.length); at += 1) push(gone[at], come[at], false);
    gone = [];
  };
  const [was, is] = [linesOf(before), linesOf(after)];
  const parts = diffArrays(was, is, { timeout: MAX_MS }) ?? [
    { value: was, removed: true, added: false },
    { value: is, removed: false, added: true },
  ];
  for (const { value, added, removed } of parts) {
    if (removed) gone = value;
    else if (added) flush(value);
    else {
      flush([]);
      for (const line of value) push(line, line, true);
    }
  }
  flush([]);
  return pairs;
}

/** The parts of two lines, by word. Lines that differ in too many words differ as a whole. */
export function wordParts(before: string, after: string): readonly ChangeObject<string>[] {
  return (
    diffWordsWithSpace(before, after, { maxEditLength: MAX_WORDS }) ?? [
      { value: before, count: 1, removed: true, added: false },
      { value: after, count: 1, removed: false, added: true },
    ]
  );
}

/** The pairs near a change. A number replaces that many unchanged lines. */
export function folded(pairs: readonly LinePair[]): (LinePair | number)[] {
  const near = pairs.map((_pair, at) =>
    pairs.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(({ same }) => !same),
  );
  const shown: (LinePair | number)[] = [];
  let left = 0;
  pairs.forEach((pair, at) => {
    if (near[at] === false) left += 1;
    else {
      if (left > 0) shown.push(left);
      left = 0;
      shown.push(pair);
    }
  });
  if (left > 0) shown.push(left);
  return shown;
}

function linesOf(value: unknown): string[] {
  return value === undefined ? [] : JSON.stringify(inOrder(value), null, 2).split("\n");
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, inOrder(member)]));
}
