/** A row of the claims table while it is edited. */
export interface ClaimRow {
  /** The name in the claims: the last typed one that no other row has. */
  readonly name: string;
  readonly typedName: string;
  /** The value as typed, because its JSON differs: `1.0` becomes `1`. */
  readonly typedValue: string;
}

/** The rows of claims that are not being edited. */
export function rowsOf(claims: Readonly<Record<string, unknown>>): ClaimRow[] {
  return Object.entries(claims).map(([name, value]) => ({ name, typedName: name, typedValue: toText(value) }));
}

/** The claims that rows mean. Every row is in them, because names of rows differ. */
export function claimsOf(rows: readonly ClaimRow[]): Record<string, unknown> {
  return Object.fromEntries(rows.map(({ name, typedValue }) => [name, fromText(typedValue)]));
}

/** Gives each row its typed name where that is free. An object cannot hold two claims of one name, so the others keep theirs. */
export function nameRows(rows: readonly ClaimRow[]): ClaimRow[] {
  // Two rows may swap their names.
  const allDiffer = new Set(rows.map(({ typedName }) => typedName)).size === rows.length;
  const names = new Set(rows.map(({ name }) => name));
  return rows.map((row) => {
    if (!allDiffer && names.has(row.typedName)) return row;
    names.delete(row.name);
    names.add(row.typedName);
    return { ...row, name: row.typedName };
  });
}

/** The text that stands for what was typed: it shows a value that JSON cannot keep as typed, such as a 20-digit number. */
export function normalizeText(text: string): string {
  return toText(fromText(text));
}

/** A value that is not plain text is JSON, so that nothing changes its type unseen. */
function toText(value: unknown): string {
  return typeof value === "string" && fromText(value) === value ? value : JSON.stringify(value);
}

function fromText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
