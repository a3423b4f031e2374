import { parseDocument, type ParsedDocument } from "@/lib/config/document";

/** The input: a document as text (JSON or YAML, in UTF-8), or already parsed. */
export interface ConfigurationInput {
  readonly document: unknown;
  readonly merges: boolean;
}

/** Some rows of one section. */
export interface ConfigurationPart {
  readonly section: string;
  /** With the schema's defaults; empty if the document is merged. */
  readonly rows: readonly unknown[];
  /** As written. */
  readonly stated: readonly unknown[];
}

/** Characters of JSON per part: the receiver copies each part between its other work. */
const MAX_PART_CHARACTERS = 128 * 1024;

/** Parses a configuration document (`parseDocument`) and passes its rows on in parts. Runs in a worker thread. */
export async function readConfiguration(
  { document, merges }: ConfigurationInput,
  passOn: (part: ConfigurationPart) => Promise<void>,
): Promise<ParsedDocument> {
  const text = document instanceof Uint8Array ? textOf(document) : document;
  if (text === null) return { ok: false, errors: [{ path: "", message: "the document is not UTF-8" }] };
  const parsed = parseDocument(text, merges);
  if (!parsed.ok) return parsed;
  const [whole, stated] = [withoutRows(parsed.document), withoutRows(parsed.stated)];
  for (const [section, written] of Object.entries(parsed.stated)) {
    if (!Array.isArray(written)) continue;
    const rows = (Reflect.get(parsed.document, section) ?? []) as readonly unknown[];
    for (let from = 0; from < written.length;) {
      const to = endOf(written, from);
      await passOn({ section, rows: rows.slice(from, to), stated: written.slice(from, to) });
      from = to;
    }
  }
  return { ...parsed, document: whole as typeof parsed.document, stated };
}

/** Adds the rows of a part to a document and to its written form. */
export function addPart(read: { readonly document: Rows; readonly stated: Rows }, part: ConfigurationPart): void {
  if (part.rows.length > 0) (read.document[part.section] ??= []).push(...part.rows);
  (read.stated[part.section] ??= []).push(...part.stated);
}

/** Rows by section. */
export type Rows = Record<string, unknown[]>;

function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function withoutRows(document: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(document).map(([name, value]) => [name, Array.isArray(value) ? [] : value]));
}

function endOf(rows: readonly unknown[], from: number): number {
  let [to, size] = [from, 0];
  while (to < rows.length && (size === 0 || size < MAX_PART_CHARACTERS)) size += JSON.stringify(rows[to++]).length;
  return to;
}
