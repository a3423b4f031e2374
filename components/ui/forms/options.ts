/** Options of a choice, from labels by value. In the order that they are written in. */
export function toOptions<const V extends string>(labels: Readonly<Record<V, string>>) {
  return (Object.entries(labels) as [V, string][]).map(([value, label]) => ({ value, label }));
}
