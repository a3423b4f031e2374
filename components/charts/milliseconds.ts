/** `0.4 ms`, `120 ms`, `2.5 s`. */
export function milliseconds(value: number): string {
  if (value >= 1000) return `${(value / 1000).toLocaleString("en", { maximumFractionDigits: 1 })} s`;
  return `${value.toLocaleString("en", { maximumSignificantDigits: value < 10 ? 2 : 3 })} ms`;
}
