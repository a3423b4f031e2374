import { DEFAULT_SETTINGS } from "@/lib/access/model/configuration";
import { lintMachine } from "@/lib/access/compile/machines";
import { atOnce, type Parts } from "@/lib/access/model/parts";
import type { ConfigDocument } from "@/lib/config/document";
import type { DocumentProblem } from "@/lib/config/problems";
import { refusedForms } from "@/lib/config/refused-forms";
import { isProfile, mentionsOf, targetWord, type Target } from "@/lib/config/references";
import { resources } from "@/lib/resources/index";
import { CONFIG_SECTIONS, type ConfigSection } from "@/lib/resources/sections";
import { isPlainText } from "@/lib/resources/parts/plain-text";

/** The effect of a document on one section: ids of created, changed and deleted rows. */
interface SectionPlan {
  readonly created: readonly string[];
  readonly changed: readonly string[];
  readonly deleted: readonly string[];
  /** The number of unchanged rows. */
  readonly unchanged: number;
}

/** The effect of applying a document (docs/reference/configuration.md). Errors refuse it; warnings do not. */
export interface Plan {
  readonly sections: Readonly<Partial<Record<ConfigSection | "settings", SectionPlan>>>;
  /** Totals over all sections. */
  readonly created: number;
  readonly changed: number;
  readonly deleted: number;
  readonly unchanged: number;
  readonly errors: readonly DocumentProblem[];
  readonly warnings: readonly DocumentProblem[];
}

/** One planned change of one row, with the facts that a plan counts. */
interface PlannedChange {
  readonly resource: string;
  readonly action: "create" | "update" | "delete";
  readonly id: string;
}

/** Sums up the changes of a document. Leaves out sections that the document does not state. */
export function toPlan(document: ConfigDocument, changes: readonly PlannedChange[]): Omit<Plan, "errors" | "warnings"> {
  const sections = Object.fromEntries(
    (["settings", ...CONFIG_SECTIONS] as const)
      .filter((section) => document[section] !== undefined)
      .map((section) => [section, planOf(section, document, changes)]),
  );
  const total = (count: (plan: SectionPlan) => number) =>
    Object.values(sections).reduce((sum, plan) => sum + count(plan), 0);
  return {
    sections,
    created: total((plan) => plan.created.length),
    changed: total((plan) => plan.changed.length),
    deleted: total((plan) => plan.deleted.length),
    unchanged: total((plan) => plan.unchanged),
  };
}

function planOf(
  section: ConfigSection | "settings",
  document: ConfigDocument,
  changes: readonly PlannedChange[],
): SectionPlan {
  const ids = (action: PlannedChange["action"]) =>
    changes.filter((change) => change.resource === section && change.action === action).map(({ id }) => id);
  const [created, changed, deleted] = [ids("create"), ids("update"), ids("delete")];
  const stated = section === "settings" ? 1 : (document[section]?.length ?? 0);
  // Settings that were never saved exist as the defaults.
  if (section === "settings")
    return {
      created: [],
      changed: [...created, ...changed],
      deleted,
      unchanged: stated - created.length - changed.length,
    };
  return { created, changed, deleted, unchanged: stated - created.length - changed.length };
}

/** Kinds of rows that a document names and does not hold. */
const BESIDE = ["secrets", "users"] as const;

/** The names of the stored rows of these kinds; an absent kind is unknown. */
export type NamesBeside = Readonly<Partial<Record<(typeof BESIDE)[number], ReadonlySet<string>>>>;

/**
 * Warnings about a complete configuration, which do not refuse it: unknown names, forms of stored rows that saving
 * refuses, the lint of machines (docs/reference/decision.md#state), and credentials sent in plain text.
 * @param beside the names of the stored secrets and users, which no document holds; absent = unknown
 */
export function warningsAtOnce(complete: ConfigDocument, beside?: NamesBeside): DocumentProblem[] {
  return atOnce(warningsInParts(complete, beside));
}

/**
 * Warns in parts, because it reads every row.
 * @param only the rows whose names and machines are checked, as `section[id]`; absent = all
 */
export function* warningsInParts(
  complete: ConfigDocument,
  beside?: NamesBeside,
  only?: ReadonlySet<string>,
): Parts<DocumentProblem[]> {
  const names = new Map<Target, ReadonlySet<string>>([
    ...CONFIG_SECTIONS.map(
      (section) => [section, new Set((complete[section] ?? []).map((row) => idOf(section, row)))] as const,
    ),
    ...BESIDE.flatMap((kind) => (beside?.[kind] === undefined ? [] : [[kind, beside[kind]] as const])),
  ]);
  const known = ({ to, name }: { to: Target; name: string }) =>
    to === "profiles" ? isProfile(name) : names.get(to)?.has(name) !== false;
  const found: DocumentProblem[] = [];
  for (const section of CONFIG_SECTIONS)
    for (const row of complete[section] ?? []) {
      yield;
      const place = `${section}[${idOf(section, row)}]`;
      if (only?.has(place) === false) continue;
      for (const { path, message } of yield* refusedForms(section, row))
        found.push({ path: `${place}.${path}`, message });
      for (const mention of mentionsOf(section, row))
        if (!known(mention)) {
          const message = `there is no ${targetWord(mention.to)} \`${mention.name}\``;
          found.push({ path: `${place}.${mention.path}`, message });
        }
    }
  const settings = mentionsOf("settings", complete.settings)
    // The group that the default settings name is optional.
    .filter((mention) => !known(mention) && !DEFAULT_SETTINGS.routing.resolutionGroups.includes(mention.name))
    .map(({ path, name }) => ({ path: `settings.${path}`, message: `there is no tool group \`${name}\`` }));
  return [...found, ...settings, ...(yield* machineWarnings(complete, only)), ...plainTextWarnings(complete)];
}

/** RFC 6750, 5.3 and RFC 6749, 2.3.1: credentials must use TLS, or stay on this machine. */
function plainTextWarnings({ sources = [], tools = [] }: ConfigDocument): DocumentProblem[] {
  const secured = new Set(sources.flatMap(({ name, auth }) => (auth.mode === "none" ? [] : [name])));
  return [
    ...sources.flatMap(({ name, auth }) =>
      "tokenUrl" in auth && isPlainText(auth.tokenUrl)
        ? [{ path: `sources[${name}].auth.tokenUrl`, message: "sends the client's secret in plain text: use https" }]
        : [],
    ),
    ...tools.flatMap(({ id, source, run }) =>
      run?.kind === "http" && secured.has(source) && isPlainText(run.url)
        ? [{ path: `tools[${id}].run.url`, message: "sends the source's credentials in plain text: use https" }]
        : [],
    ),
  ];
}

function* machineWarnings(
  { machines = [], tools = [] }: ConfigDocument,
  only: ReadonlySet<string> | undefined,
): Parts<DocumentProblem[]> {
  if (machines.length === 0) return [];
  const found: DocumentProblem[] = [];
  for (const machine of machines) {
    const place = `machines[${machine.name}]`;
    if (only?.has(place) === false) continue;
    for (const { path, message } of (yield* lintMachine(machine, tools)).warnings)
      found.push({ path: `${place}.${path}`, message });
  }
  return found;
}

function idOf(section: ConfigSection, row: object): string {
  return String((row as Record<string, unknown>)[resources[section].id]);
}
