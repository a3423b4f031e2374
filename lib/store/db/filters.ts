/** One filter of a list: turns a value of the query into a database condition, or into a message about its error. */
export type Filter = (value: string) => object | string;

/** The column has exactly this text. */
export function text(column: string): Filter {
  return (value) => ({ [column]: value });
}

/** The column is one of these words. */
export function word(column: string, words: readonly string[]): Filter {
  return (value) => (words.includes(value) ? { [column]: value } : `use one of ${words.join(", ")}`);
}

/** The column is true or false. */
export function flag(column: string): Filter {
  return (value) => (value === "true" || value === "false" ? { [column]: value === "true" } : "use true or false");
}

/** The column, a list of texts, has this element. */
export function element(column: string): Filter {
  return (value) => ({ [column]: { has: value } });
}

/** `groups`, a JSON list of names, has this one. */
export const inGroup: Filter = (value) => ({ groups: { array_contains: [value] } });

/** The condition that a column has this text somewhere, in any case. Prisma makes it an ILIKE pattern (prisma/orm#19506). */
export function containing(searched: string): { readonly contains: string; readonly mode: "insensitive" } {
  return { contains: asPattern(searched), mode: "insensitive" };
}

/** The column has the id of a tool of this source. Filter by another column too: no index serves this one. */
export function ofSource(column: string): Filter {
  return (source) => ({ [column]: { startsWith: asPattern(`${source}:`) } });
}

function asPattern(searched: string): string {
  return searched.replaceAll(/[\\%_]/g, "\\$&");
}
