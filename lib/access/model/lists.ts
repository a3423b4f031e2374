/** Lists the first `max` items for a sentence, and counts the others: "a, b and 3 more". */
export function listFirst<T>(items: readonly T[], max: number, text: (item: T) => string): string {
  const more = items.length > max ? ` and ${items.length - max} more` : "";
  return `${items.slice(0, max).map(text).join(", ")}${more}`;
}

/** Names for a sentence, each marked as code: "`a`, `b`". */
export function inCode(names: readonly string[], separator = ", "): string {
  return names.map((name) => `\`${name}\``).join(separator);
}

/** Adds a value to the list under a key. */
export function append<K, T>(lists: Map<K, T[]>, key: K, value: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** Orders the items round-robin: the first of each kind, then the second of each. */
export function alternate<T>(items: readonly T[], kindOf: (item: T) => string): T[] {
  const kinds = new Map<string, T[]>();
  for (const item of items) append(kinds, kindOf(item), item);
  const lists = [...kinds.values()];
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}
