/** The parsed text of a list's filter box: search words, and filters by key. */
interface FilterText {
  readonly q: string;
  readonly filters: Readonly<Record<string, string>>;
}

/**
 * Takes `key:value` (or `key:"two words"`) out of a text if the list knows the key, and returns it as a filter. An entry
 * at the end of the text stays until the typing is `done`.
 */
export function extractFilters(text: string, keys: readonly string[], done: boolean): FilterText {
  const filters: Record<string, string> = {};
  const known = /(^|\s)([A-Za-z]+):(?:"([^"]+)"|([^\s"]+))(?=\s|$)/g;
  const q = text.replaceAll(known, (whole, before: string, key: string, quoted = "", plain = "", at: number) => {
    const open = at + whole.length === text.length;
    if (!keys.includes(key) || (open && !done)) return whole;
    filters[key] = quoted === "" ? plain : quoted;
    return before;
  });
  return { q: Object.keys(filters).length === 0 ? q : q.replaceAll(/\s+/g, " ").trim(), filters };
}

/** A filter as a person types it into the filter box. */
export function filterAsText(key: string, value: string): string {
  return `${key}:${/\s/.test(value) ? `"${value}"` : value}`;
}
