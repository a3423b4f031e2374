/** SHA-256's round constants: the fractional parts of the cube roots of the first 64 primes (FIPS 180-4 §4.2.2). */
const ROUND = roots(64, (prime) => Math.cbrt(prime));
/** Its initial state: the same of the square roots of the first 8 (§5.3.3). */
const INITIAL = roots(8, (prime) => Math.sqrt(prime));

function roots(count: number, root: (prime: number) => number): Uint32Array {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n += 1) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return Uint32Array.from(primes, (prime) => (root(prime) % 1) * 2 ** 32);
}

const schedule = new Uint32Array(64);
const encoder = new TextEncoder();

/**
 * SHA-256 of a text's UTF-8 as eight 32-bit words (FIPS 180-4). Written out because the decision core runs in
 * the browser too, where the platform's own digest is asynchronous.
 */
export function sha256(text: string): Uint32Array {
  const bytes = encoder.encode(text);
  const blocks = (bytes.length + 72) >>> 6;
  const padded = new Uint8Array(blocks * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, (bytes.length * 8) >>> 0);
  const state = Uint32Array.from(INITIAL);
  for (let block = 0; block < blocks; block += 1) compress(state, view, block * 64);
  return state;
}

/** SHA-256 of a text's UTF-8, in lower-case hex. */
export function sha256Hex(text: string): string {
  return hex(sha256(text));
}

/** Words as lower-case hex, eight digits each. */
export function hex(words: Iterable<number>): string {
  return Array.from(words, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

function expand(view: DataView, offset: number): void {
  for (let i = 0; i < 16; i += 1) schedule[i] = view.getUint32(offset + i * 4);
  for (let i = 16; i < 64; i += 1) {
    const early = schedule[i - 15] ?? 0;
    const late = schedule[i - 2] ?? 0;
    const s0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const s1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    schedule[i] = (schedule[i - 16] ?? 0) + s0 + (schedule[i - 7] ?? 0) + s1;
  }
}

function compress(state: Uint32Array, view: DataView, offset: number): void {
  expand(view, offset);
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i += 1) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const choice = (e & f) ^ (~e & g);
    const one = (h + s1 + choice + (ROUND[i] ?? 0) + (schedule[i] ?? 0)) | 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const two = (s0 + majority) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] = (state[i] ?? 0) + word));
}
