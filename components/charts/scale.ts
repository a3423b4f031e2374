/** The end of an axis that begins at 0 and holds `most`: 1, 2, 4, 5 or 10 of its power of ten, so that its middle can be read too. */
export function niceEnd(most: number): number {
  if (most <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return ([1, 2, 4, 5, 10].find((factor) => factor * power >= most) ?? 10) * power;
}

/** Which of `count` marks get a label, so that at most `labels` stand there, evenly. */
export function labelledMarks(count: number, labels: number): number[] {
  const every = Math.max(1, Math.ceil(count / labels));
  return Array.from({ length: Math.ceil(count / every) }, (_, index) => index * every);
}
