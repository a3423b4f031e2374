import { isObject } from "@/lib/access/model/json";
import type { Parts } from "@/lib/access/model/parts";
import type { ConfigDocument, FreshRows, StatedDocument } from "@/lib/config/document";
import { MAX_PROBLEMS, problemsOf, type DocumentProblem } from "@/lib/config/problems";
import { resources } from "@/lib/resources/index";
import { CONFIG_SECTIONS } from "@/lib/resources/sections";
import { settingsInput } from "@/lib/resources/settings";

/** The document that results from a merge, or its problems. */
type Merged =
  | { readonly ok: true; readonly document: ConfigDocument }
  | { readonly ok: false; readonly errors: readonly DocumentProblem[] };

type Row = Readonly<Record<string, unknown>>;

/**
 * Applies a document to the stored configuration: replaces the stated fields of named rows, and keeps everything else.
 * Never deletes. In parts, because it parses every row.
 * @param fresh fields for rows that the merge creates
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
      if (errors.length >= MAX_PROBLEMS) return refused(errors);
      const id = String(row[key]);
      const isNew = !merged.has(id);
      const whole = { ...(merged.get(id) ?? fresh[section]?.get(id)), ...row };
      const parsed = input.safeParse(whole);
      if (parsed.success) merged.set(id, parsed.data);
      else
        errors.push(
          ...problemsOf(parsed.error, whole).map(({ path, message }) => ({
            path: `${section}[${id}]${path === "" ? "" : `.${path}`}`,
            message: isNew ? `${message} (nothing stored has this name, so the row is new)` : message,
          })),
        );
    }
    sections[section] = [...merged.values()];
  }
  if (stated["settings"] !== undefined) {
    const whole = mergeSettings(current, stated["settings"] as Row);
    const parsed = settingsInput.safeParse(whole);
    if (parsed.success) sections["settings"] = parsed.data;
    else errors.push(...problemsOf(parsed.error, whole).map((one) => ({ ...one, path: `settings.${one.path}` })));
  }
  if (errors.length > 0) return refused(errors);
  return { ok: true, document: { apiVersion: current.apiVersion, ...sections } };
}

function refused(errors: readonly DocumentProblem[]): Merged {
  return { ok: false, errors: errors.slice(0, MAX_PROBLEMS) };
}

/** Each part of the settings states only its changes: an absent part, or an absent field of a part, keeps its value. */
function mergeSettings({ settings: before }: ConfigDocument, changes: Row): object {
  const kept: Readonly<Record<string, unknown>> = { ...before };
  const merged = Object.entries(changes).map(([name, value]) => [
    name,
    isObject(kept[name]) && isObject(value) ? { ...kept[name], ...value } : value,
  ]);
  return { ...kept, ...Object.fromEntries(merged) };
}
