import type { Configuration } from "@/lib/access/model/configuration";
import type { Parts } from "@/lib/access/model/parts";
import { withHash } from "@/lib/config/definition-hash";
import { configurationInParts, type ConfigDocument } from "@/lib/config/document";
import { holdTools } from "@/lib/config/held-tools";
import { problemsOf, type DocumentProblem } from "@/lib/config/problems";
import { RENAMED_EVERYWHERE, holdersOf, withNewName } from "@/lib/config/references";
import type { ImpactInput } from "@/lib/contracts/decisions/impact";
import { resources } from "@/lib/resources/index";
import { settingsInput } from "@/lib/resources/settings";
import type { ToolInput } from "@/lib/resources/tool";

/** A configuration with an unsaved change, or the problem of the change. */
type Drafted =
  | { readonly ok: true; readonly configuration: Configuration }
  | { readonly ok: false; readonly errors: readonly DocumentProblem[] };

/** One row as it would be saved, or the settings. */
interface RowDraft extends Pick<ImpactInput, "id" | "input"> {
  readonly resource: NonNullable<ImpactInput["resource"]>;
}

/** A section whose rows the resolver reads. */
export type DraftedSection = Exclude<NonNullable<ImpactInput["resource"]>, "settings">;

/** A valid row as the resolver reads it. */
function rowOf(section: DraftedSection, input: object): object {
  return section === "tools" ? withHash(input as ToolInput) : input;
}

/**
 * The configuration after a change: one row created, replaced or deleted, or the settings. Unchanged rows stay the same
 * objects, so that `compile` reuses their results. Does not check the names that rows refer to: a draft may be incomplete.
 */
export function draftOf(base: Configuration, { resource, id, input }: RowDraft): Drafted {
  if (resource === "settings") {
    const parsed = settingsInput.safeParse(input);
    if (!parsed.success) return refused(problemsOf(parsed.error, input));
    return { ok: true, configuration: { ...base, settings: parsed.data } };
  }
  return withRow(base, resource, id ?? null, input ?? null);
}

/**
 * The configuration after a document whose stated sections replace the current ones. In parts, because every tool is
 * hashed.
 */
export function* draftOfDocument(base: Configuration, document: ConfigDocument): Parts<Configuration> {
  const known = new Map(base.tools.map((tool) => [tool.id, tool]));
  const drafted = yield* configurationInParts(document);
  const whole = { ...drafted, tools: holdTools(drafted.tools, known).tools };
  const stated = Object.entries(whole).filter(([section]) => Object.hasOwn(document, section));
  return { ...base, ...Object.fromEntries(stated) };
}

function withRow(base: Configuration, section: DraftedSection, id: string | null, input: object | null): Drafted {
  const key = resources[section].id;
  const rows: readonly object[] = base[section];
  const idOf = (row: object) => String((row as Record<string, unknown>)[key]);
  const at = id === null ? rows.length : rows.findIndex((row) => idOf(row) === id);
  if (at < 0) return { ok: false, errors: [{ path: "id", message: `there is no \`${id}\` in ${section}` }] };
  const parsed = input === null ? null : resources[section].input.safeParse(input);
  if (parsed?.success === false) return refused(problemsOf(parsed.error, input));
  const drafted = parsed === null ? [] : [rowOf(section, parsed.data)];
  const taken = drafted.map(idOf).find((name) => name !== id && rows.some((row) => idOf(row) === name));
  if (taken !== undefined) return refused([{ path: key, message: `\`${taken}\` is taken` }]);
  const configuration = { ...base, [section]: rows.toSpliced(at, 1, ...drafted) };
  const [name] = drafted.map(idOf);
  const isRenamed = id !== null && name !== undefined && name !== id;
  return { ok: true, configuration: isRenamed ? withRename(configuration, section, id, name) : configuration };
}

/** The configuration with the new name in the rows that name a renamed row, where a save changes them too. */
function withRename(base: Configuration, section: DraftedSection, was: string, becomes: string): Configuration {
  const of = RENAMED_EVERYWHERE.find((kind) => kind === section);
  if (of === undefined) return base;
  const rename = { of, was, becomes };
  const settings = withNewName("settings", base.settings, rename) ?? base.settings;
  const changed = holdersOf(of).flatMap((holder) => {
    const rows = holder === "settings" ? undefined : Reflect.get(base, holder);
    if (!Array.isArray(rows)) return [];
    return [[holder, rows.map((row: object) => withNewName(holder, row, rename) ?? row)] as const];
  });
  return { ...base, settings, ...Object.fromEntries(changed) };
}

/**
 * The configuration after changes of many valid rows of one section, by id; `null` deletes a row. In parts, because
 * every changed tool is hashed.
 */
export function* draftOfRows(
  base: Configuration,
  section: DraftedSection,
  changed: ReadonlyMap<string, object | null>,
): Parts<Configuration> {
  const key = resources[section].id;
  const rows: object[] = [];
  for (const row of base[section] as readonly object[]) {
    const next = changed.get(String((row as Record<string, unknown>)[key]));
    if (next === undefined) rows.push(row);
    else if (next !== null) rows.push(rowOf(section, next));
    yield;
  }
  return { ...base, [section]: rows };
}

function refused(errors: readonly DocumentProblem[]): Drafted {
  return { ok: false, errors: errors.map((error) => ({ ...error, path: pathBelow("input", error.path) })) };
}

/** Converts a path in a document to a path in the request that contains the document. */
export function pathBelow(root: string, path: string): string {
  if (path === "") return root;
  return path.startsWith("[") ? `${root}${path}` : `${root}.${path}`;
}
