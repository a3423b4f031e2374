/**
 * Long work in parts: what is done between two `yield`s is short, so that whoever runs it may let others have their turn in
 * between. The last part returns what was made.
 */
export type Parts<Made> = Generator<void, Made, void>;

/** Runs all parts at once. */
export function atOnce<Made>(parts: Parts<Made>): Made {
  for (;;) {
    const part = parts.next();
    if (part.done === true) return part.value;
  }
}
