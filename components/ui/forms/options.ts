/** Converts labels by value to options, in the same order. */
export function toOptions<const V extends string>(labels: Readonly<Record<V, string>>) {
  return (Object.entries(labels) as [V, string][]).map(([value, label]) => ({ value, label }));
}
