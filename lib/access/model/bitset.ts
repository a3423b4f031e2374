/** A dense set of small numbers: bit `n & 31` of word `n >> 5`. */
export type Bits = Uint32Array;

/**
 * The non-empty words of a set, ascending. Adding one to another set costs what the set holds, not what the catalogue
 * holds. A resolution therefore does not slow down with tools that its caller cannot reach.
 */
export interface SparseBits {
  readonly at: Uint32Array;
  readonly words: Uint32Array;
  /** The number of set bits. */
  readonly count: number;
}

/** An empty set for the numbers below `size`. */
export function emptyBits(size: number): Bits {
  return new Uint32Array((size + 31) >>> 5);
}

/** The set of the numbers below `size` that pass a test. */
export function bitsWhere(size: number, test: (number: number) => boolean): Bits {
  const bits = emptyBits(size);
  for (let n = 0; n < size; n += 1) if (test(n)) setBit(bits, n);
  return bits;
}

/** Adds a number. */
export function setBit(bits: Bits, n: number): void {
  bits[n >>> 5] = (bits[n >>> 5] ?? 0) | (1 << (n & 31));
}

/** Removes a number. */
export function clearBit(bits: Bits, n: number): void {
  bits[n >>> 5] = (bits[n >>> 5] ?? 0) & ~(1 << (n & 31));
}

/** True when the set has the number. */
export function hasBit(bits: Bits, n: number): boolean {
  return (((bits[n >>> 5] ?? 0) >>> (n & 31)) & 1) === 1;
}

/** Adds the members of a sparse set. */
export function addSparse(bits: Bits, { at, words }: SparseBits): void {
  for (let i = 0; i < at.length; i += 1) {
    const word = at[i] ?? 0;
    bits[word] = (bits[word] ?? 0) | (words[i] ?? 0);
  }
}

/** Adds the members of a sparse set that are also in `among`. */
export function addSparseAmong(bits: Bits, { at, words }: SparseBits, among: Bits): void {
  for (let i = 0; i < at.length; i += 1) {
    const word = at[i] ?? 0;
    bits[word] = (bits[word] ?? 0) | ((words[i] ?? 0) & (among[word] ?? 0));
  }
}

/** Removes the members of a sparse set. */
export function subtractSparse(bits: Bits, { at, words }: SparseBits): void {
  for (let i = 0; i < at.length; i += 1) {
    const word = at[i] ?? 0;
    bits[word] = (bits[word] ?? 0) & ~(words[i] ?? 0);
  }
}

/** Adds the members of a sparse set under their new numbers; leaves out those that map to −1. */
export function addMoved(bits: Bits, from: SparseBits, movedTo: Int32Array): void {
  forEachBit(from, (number) => {
    const moved = movedTo[number] ?? -1;
    if (moved >= 0) setBit(bits, moved);
  });
}

/** Visits the members of a sparse set in ascending order. */
export function forEachBit({ at, words }: SparseBits, visit: (number: number) => void): void {
  at.forEach((word, i) => {
    for (let rest = words[i] ?? 0; rest !== 0; rest &= rest - 1) visit((word << 5) + lowestBit(rest));
  });
}

/** Keeps the non-empty words of a dense set. */
export function toSparse(bits: Bits): SparseBits {
  const at: number[] = [];
  let count = 0;
  for (let word = 0; word < bits.length; word += 1) {
    if (bits[word] === 0) continue;
    at.push(word);
    count += popcount(bits[word] ?? 0);
  }
  return { at: Uint32Array.from(at), words: Uint32Array.from(at, (word) => bits[word] ?? 0), count };
}

/** The number of members of a sparse set that are also in `among`. */
export function countAmong({ at, words }: SparseBits, among: Bits): number {
  let count = 0;
  at.forEach((word, i) => (count += popcount((words[i] ?? 0) & (among[word] ?? 0))));
  return count;
}

/** The number of set bits in a 32-bit word. */
export function popcount(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** The numbers of a set, ascending. */
export function numbersOf(bits: Bits): number[] {
  const numbers: number[] = [];
  for (let word = 0; word < bits.length; word += 1) {
    for (let rest = bits[word] ?? 0; rest !== 0; rest &= rest - 1) numbers.push((word << 5) + lowestBit(rest));
  }
  return numbers;
}

/** The position of a non-zero word's lowest set bit. */
export function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}
