import { profileNames } from "@/lib/access/compile/profiles";
import {
  DECLARED_GROUPS,
  KINDS,
  OTHER_KINDS,
  RESOURCE_NAMES,
  type ReferenceField,
  type ResourceName,
} from "@/lib/resources/kinds";

// Which fields name other rows: a save refuses unknown names, and a deletion refuses rows that are in use.

/** The holders of references: the resources and the settings. */
export type Holder = ResourceName | "settings";
/** The targets of references: a resource, a secret, or a profile, which is code. */
export type Target = ResourceName | "secrets" | "profiles";

/** One field of one kind of row that names another row. */
interface Reference extends ReferenceField {
  readonly to: Target;
}

const RESOURCES: Readonly<Record<ResourceName, { readonly references: readonly Reference[] }>> = KINDS;

const SETTINGS: readonly Reference[] = [
  { path: "routing.resolutionGroups[]", ...DECLARED_GROUPS, unknown: "warned" },
  { path: "routing.alwaysGroups[]", ...DECLARED_GROUPS, unknown: "warned" },
];

/**
 * The fields of a kind that name other rows. The check for unknown names on save and the check for use on delete both read
 * them (docs/reference/decision.md; docs/reference/http.md#admin-api).
 */
function referencesOf(holder: Holder): readonly Reference[] {
  return holder === "settings" ? SETTINGS : RESOURCES[holder].references;
}

/** One name in a row, with its path inside the row. */
interface Mention {
  readonly path: string;
  readonly to: Target;
  readonly name: string;
  readonly unknown: Reference["unknown"];
}

/** Every name that a row mentions, without built-in names. The row may be one that does not parse. */
export function mentionsOf(holder: Holder, row: unknown): Mention[] {
  return referencesOf(holder).flatMap(({ path, to, builtIn = [], unknown }) =>
    valuesAt(row, path)
      .filter(({ value }) => !builtIn.includes(value))
      .map(({ at, value }) => ({ path: at, to, name: value, unknown })),
  );
}

/**
 * The kinds of rows whose rename also changes every reference to them: only the configuration holds their names. Keys,
 * pauses, sessions and held labels hold names of other kinds, which a save of the configuration does not change.
 */
export const RENAMED_EVERYWHERE = ["groups", "personas"] as const satisfies readonly Target[];

/** A row of such a kind that gets another name. */
export interface Rename {
  readonly of: (typeof RENAMED_EVERYWHERE)[number];
  readonly was: string;
  readonly becomes: string;
}

/** The row with the new name in every reference to the renamed row; `null` when it does not mention the old name. */
export function withNewName<Row extends object>(holder: Holder, row: Row, rename: Rename): Row | null {
  let now: unknown = row;
  for (const { path, to, builtIn = [] } of referencesOf(holder))
    if (
      to === rename.of &&
      !builtIn.includes(rename.was) &&
      valuesAt(row, path).some(({ value }) => value === rename.was)
    )
      now = replacedAt(now, stepsOf(path), rename);
  return now === row ? null : (now as Row);
}

/** The kinds of row that may mention a target. */
export function holdersOf(target: Target): Holder[] {
  return [...RESOURCE_NAMES, "settings" as const].filter((holder) =>
    referencesOf(holder).some(({ to }) => to === target),
  );
}

/** The word for a target, in the singular, for sentences. */
export function targetWord(target: Target): string {
  if (target === "profiles") return "profile";
  return target === "secrets" ? OTHER_KINDS.secrets : KINDS[target].words[0];
}

/** Whether the code defines a profile of this name. */
export function isProfile(name: string): boolean {
  return profileNames.includes(name);
}

/** The texts at a path, each with its exact place. Leaves out other values, such as null or a selector: they are no names. */
function valuesAt(root: unknown, path: string): { at: string; value: string }[] {
  let found: { at: string; value: unknown }[] = [{ at: "", value: root }];
  for (const step of stepsOf(path))
    found = found.flatMap(({ at, value }) => {
      if (step === "[]")
        return Array.isArray(value)
          ? value.map((item: unknown, index) => ({ at: `${at}[${index}]`, value: item }))
          : [];
      if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return [];
      return [{ at: at === "" ? step : `${at}.${step}`, value: (value as Record<string, unknown>)[step] }];
    });
  return found.flatMap(({ at, value }) => (typeof value === "string" ? [{ at, value }] : []));
}

/** `flow.raises[]` → `flow`, `raises`, `[]`. */
function stepsOf(path: string): readonly string[] {
  return path.split(/\.|(?=\[\])/);
}

/** A copy with a name at a path replaced. A list that had both the old and the new name has the new one once. */
function replacedAt(value: unknown, [step, ...deeper]: readonly string[], rename: Rename): unknown {
  const replaced = (inner: unknown) => replacedAt(inner, deeper, rename);
  if (step === undefined) return value === rename.was ? rename.becomes : value;
  if (step === "[]") return Array.isArray(value) ? [...new Set(value.map(replaced))] : value;
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return value;
  return { ...value, [step]: replaced((value as Record<string, unknown>)[step]) };
}
