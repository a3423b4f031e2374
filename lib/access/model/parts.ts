/** Long work in short parts: a caller may run other work at each `yield`. The last part returns the result. */
export type Parts<Made> = Generator<void, Made, void>;

/** Runs all parts without a pause. */
export function atOnce<Made>(parts: Parts<Made>): Made {
  for (;;) {
    const part = parts.next();
    if (part.done === true) return part.value;
  }
}
