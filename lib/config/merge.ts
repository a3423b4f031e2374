import type { Parts } from "@/lib/access/model/parts";
import type { ConfigDocument, FreshRows, StatedDocument } from "@/lib/config/document";
import { problemsOf, type DocumentProblem } from "@/lib/config/problems";
import { resources } from "@/lib/resources/index";
import { CONFIG_SECTIONS } from "@/lib/resources/sections";
import { settingsInput } from "@/lib/resources/settings";

/** The document that a merge wants, or what is wrong with it. */
export type Merged =
  | { readonly ok: true; readonly document: ConfigDocument }
  | { readonly ok: false; readonly errors: readonly DocumentProblem[] };

type Row = Readonly<Record<string, unknown>>;

/**
 * The stored configuration with a document laid over it: rows it does not name stay, of those it names the
 * fields it states are replaced and the others kept. Nothing is ever deleted. In parts: it parses every row.
 *
 * @param fresh fields that a row gets only when it is made
 */
export function* mergeInParts(current: ConfigDocument, stated: StatedDocument, fresh: FreshRows = {}): Parts<Merged> {
  const errors: DocumentProblem[] = [];
  const sections: Record<string, unknown> = {};
  for (const section of CONFIG_SECTIONS) {
    const rows = stated[section];
    if (!Array.isArray(rows)) continue;
    const { id: key, input } = resources[section];
    const merged = new Map((current[section] ?? []).map((row) => [String((row as Row)[key]), row as Row]));
    for (const row of rows as readonly Row[]) {
      yield;
      const id = String(row[key]);
      const parsed = input.safeParse({ ...(merged.get(id) ?? fresh[section]?.get(id)), ...row });
      if (parsed.success) merged.set(id, parsed.data);
      else
        errors.push(
          ...problemsOf(parsed.error, row).map(({ path, message }) => ({
            path: `${section}[${id}]${path === "" ? "" : `.${path}`}`,
            message,
          })),
        );
    }
    sections[section] = [...merged.values()];
  }
  if (stated["settings"] !== undefined) {
    const parsed = settingsInput.safeParse(settingsOver(current, stated["settings"] as Row));
    if (parsed.success) sections["settings"] = parsed.data;
    else errors.push(...problemsOf(parsed.error, {}).map((one) => ({ ...one, path: `settings.${one.path}` })));
  }
  if (errors.length > 0) return { ok: false, errors };
  return { ok: true, document: { apiVersion: current.apiVersion, ...sections } };
}

/** Each part states what it changes of it: one that is left out of a part is kept, as one that is left out altogether. */
function settingsOver({ settings: before }: ConfigDocument, over: Row): object {
  const kept: Readonly<Record<string, unknown>> = { ...before };
  const laid = Object.entries(over).map(([name, value]) => [
    name,
    isPart(kept[name]) && isPart(value) ? { ...kept[name], ...value } : value,
  ]);
  return { ...kept, ...Object.fromEntries(laid) };
}

function isPart(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
