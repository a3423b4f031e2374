/** How much of a text's end is searched first. A longer piece costs more in the worst case, a shorter one has more places. */
const PIECE = 16;

/**
 * A function that finds the first place of `one` in `text` from a position on; -1 = none. Its positions must grow. All searches
 * together take time linear in both texts. `indexOf` may take their product, when both repeat themselves: an upstream
 * chooses its token and its answer.
 */
export function placesOf(one: string, text: string): (from: number) => number {
  if (one === "" || text.length < one.length) return () => -1;
  const piece = one.slice(-PIECE);
  const before = one.length - piece.length;
  // What comparisons that fail may still cost.
  let comparable = text.length;
  let borders: Int32Array | null = null;
  return (from) => {
    if (borders !== null) return linearPlaceOf(one, text, from, borders);
    for (let at = text.indexOf(piece, from + before); at !== -1; at = text.indexOf(piece, at + 1)) {
      const start = at - before;
      if (text.startsWith(one, start)) return start;
      comparable -= one.length;
      if (comparable >= 0) continue;
      borders = bordersOf(one);
      return linearPlaceOf(one, text, start + 1, borders);
    }
    return -1;
  };
}

/**
 * A function that reads the next piece of a text. It says how many characters at the text's end begin `one`, without all
 * of it, and counts no more than `most`. All pieces together take time linear in the text.
 */
export function begunAtEnd(one: string): (piece: string, most: number) => number {
  const borders = bordersOf(one);
  let equal = 0;
  return (piece, most) => {
    for (let at = 0; at < piece.length; at += 1) equal = extended(one, borders, equal, piece.charCodeAt(at));
    while (equal > 0 && (equal > most || equal === one.length)) equal = borders[equal - 1] ?? 0;
    return equal;
  };
}

/** For each beginning of `one`: the length of its longest proper beginning that is also its end (Knuth, Morris and Pratt). */
function bordersOf(one: string): Int32Array {
  const borders = new Int32Array(one.length);
  for (let at = 1, equal = 0; at < one.length; at += 1) {
    equal = extended(one, borders, equal, one.charCodeAt(at));
    borders[at] = equal;
  }
  return borders;
}

function linearPlaceOf(one: string, text: string, from: number, borders: Int32Array): number {
  for (let at = from, equal = 0; at < text.length; at += 1) {
    equal = extended(one, borders, equal, text.charCodeAt(at));
    if (equal === one.length) return at + 1 - equal;
  }
  return -1;
}

/** How many characters at the beginning of `one` a text ends with, after one more character. */
function extended(one: string, borders: Int32Array, before: number, code: number): number {
  let equal = before;
  while (equal > 0 && one.charCodeAt(equal) !== code) equal = borders[equal - 1] ?? 0;
  return one.charCodeAt(equal) === code ? equal + 1 : equal;
}
