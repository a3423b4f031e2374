import { z } from "zod";
import { isObject } from "@/lib/access/model/json";
import type { AccessGrant, Configuration, DriftAcceptance, Pause, Tool } from "@/lib/access/model/configuration";
import { atOnce, type Parts } from "@/lib/access/model/parts";
import { withHash } from "@/lib/config/definition-hash";
import { resources, type Input } from "@/lib/resources/index";
import { KINDS, RESOURCE_NAMES } from "@/lib/resources/kinds";
import { API_VERSION, CONFIG_SECTIONS, DECIDING, type ConfigSection, type Deciding } from "@/lib/resources/sections";
import { settingsInput } from "@/lib/resources/settings";
import { isMissing, MAX_PROBLEMS, problemsOf, type DocumentProblem } from "@/lib/config/problems";
import { parseText } from "@/lib/config/text";
import { fromTrustGraph } from "@/lib/config/trustgraph";
import { isTrustGraph } from "@/lib/config/trustgraph-rows";
import { dotted, flawIn } from "@/lib/access/model/storable";

/** The largest section; a larger installation must be split. */
const MAX_ROWS = 200_000;

const SECTION_SHAPES = Object.fromEntries(
  RESOURCE_NAMES.filter((name) => KINDS[name].section !== null).map((name) => [
    name,
    z.array(resources[name].input).max(MAX_ROWS).optional(),
  ]),
) as unknown as { readonly [S in ConfigSection]: z.ZodOptional<z.ZodArray<(typeof resources)[S]["input"]>> };

/**
 * The configuration document (docs/reference/http.md). Strict everywhere. An absent section stays as it is, and `[]`
 * empties it: no field here has a default, because the two must stay different.
 */
export const configDocument = z.strictObject({
  apiVersion: z.literal(API_VERSION, `must be \`${API_VERSION}\``),
  settings: settingsInput.optional(),
  ...SECTION_SHAPES,
});

/** A document, normalised. */
export type ConfigDocument = z.output<typeof configDocument>;

/** A document as written, before defaults are filled in. */
export type StatedDocument = Readonly<Record<string, unknown>>;

/** Fields that a merge sets only on rows that it creates, by section and row id. */
export type FreshRows = Readonly<Partial<Record<ConfigSection, ReadonlyMap<string, object>>>>;

/** A parsed document, or all its problems. */
export type ParsedDocument =
  | {
      readonly ok: true;
      /** Without rows when the document was parsed as one to merge. */
      readonly document: ConfigDocument;
      /** The document as written, before defaults: a merge applies it to the stored rows. */
      readonly stated: StatedDocument;
      /** Fields that a merge sets on new rows only; later they are an admin's to change. */
      readonly fresh: FreshRows;
      /** True for a TrustGraph configuration, which is incomplete and can only be merged. */
      readonly mergeOnly: boolean;
      /** Parts that were understood but left out. */
      readonly warnings: readonly DocumentProblem[];
    }
  | { readonly ok: false; readonly errors: readonly DocumentProblem[] };

/**
 * Parses a document from YAML or JSON text, or from a parsed object. Reports all problems at once, each at its path:
 * `policies[finance].groups[0]`. Checks that names are unique, not that they exist: plan.ts checks that against the
 * store.
 * Reads a TrustGraph configuration as the sections that it states.
 *
 * @param merges whether the document is merged: then its rows may be incomplete, and `stated` alone contains them
 */
export function parseDocument(input: unknown, merges = false): ParsedDocument {
  const read = typeof input === "string" ? parseText(input) : { ok: true as const, value: input };
  if (!read.ok) return read;
  if (!isTrustGraph(read.value)) return parseValue(read.value, merges);
  const converted = fromTrustGraph(read.value);
  if (!converted.ok) return converted;
  const { stated, fresh, warnings } = converted;
  const laidOver = {
    ...stated,
    sources: stated.sources.map((source) => ({ ...fresh.sources.get(source.name), ...source })),
    tools: stated.tools.map((tool) => ({ ...fresh.tools.get(tool.id), ...tool })),
  };
  const parsed = parseValue({ apiVersion: API_VERSION, ...laidOver });
  if (!parsed.ok) return parsed;
  return { ...parsed, stated: { apiVersion: API_VERSION, ...stated }, fresh, mergeOnly: true, warnings };
}

function parseValue(value: unknown, merges = false): ParsedDocument {
  if (!isObject(value))
    return { ok: false, errors: [{ path: "", message: "a configuration document is an object with `apiVersion`" }] };
  const flaw = unstorable(value);
  if (flaw !== null) return { ok: false, errors: [flaw] };
  const parsed = configDocument.safeParse(value);
  const issues = (parsed.error?.issues ?? []).filter((issue) => !(merges && mayMergeMend(issue, value)));
  if (issues.length > 0) return { ok: false, errors: problemsOf({ issues }, value) };
  const document = (parsed.data ?? value) as ConfigDocument;
  const errors = duplicates(document).slice(0, MAX_PROBLEMS);
  if (errors.length > 0) return { ok: false, errors };
  const stated = value as StatedDocument;
  const whole = merges ? { apiVersion: document.apiVersion } : document;
  return { ok: true, document: whole, stated, fresh: {}, mergeOnly: false, warnings: [] };
}

/**
 * Whether a merge may mend a problem: the stored row may have the missing field, or the field that a rule between fields
 * requires. `mergeInParts` checks the merged rows whole.
 */
function mayMergeMend(issue: z.core.$ZodIssue, document: unknown): boolean {
  const [section, , field, ...below] = issue.path;
  const isAbsent = isMissing(issue, document);
  if (section === "settings") return isAbsent || issue.code === "custom";
  const isId = CONFIG_SECTIONS.some((one) => one === section && resources[one].id === field);
  return issue.code === "custom" || (isAbsent && field !== undefined && !isId && below.length === 0);
}

function duplicates(document: ConfigDocument): DocumentProblem[] {
  return CONFIG_SECTIONS.flatMap((section) => {
    const seen = new Set<string>();
    const key = resources[section].id;
    return (document[section] ?? []).flatMap((row) => {
      const id = String((row as Record<string, unknown>)[key]);
      const twice = seen.has(id);
      seen.add(id);
      return twice ? [{ path: `${section}[${id}].${key}`, message: `\`${id}\` occurs twice in ${section}` }] : [];
    });
  });
}

/** Facts of an installation that no document holds. */
interface LiveFacts {
  readonly revision?: number;
  readonly driftAcceptances?: readonly DriftAcceptance[];
  readonly pauses?: readonly Pause[];
  readonly accessGrants?: readonly AccessGrant[];
}

/**
 * A whole document as the resolver's configuration. An absent section is empty, and absent settings are the
 * defaults.
 */
export function toConfiguration(document: ConfigDocument): Configuration {
  return atOnce(configurationInParts(document));
}

/** Builds it in parts, because every tool is hashed. */
export function* configurationInParts(document: ConfigDocument, live: LiveFacts = {}): Parts<Configuration> {
  const tools: Tool[] = [];
  for (const tool of document.tools ?? []) {
    tools.push(withHash(tool));
    yield;
  }
  const rows = Object.fromEntries(DECIDING.map((section) => [section, document[section] ?? []]));
  return {
    ...(rows as unknown as { readonly [S in Deciding]: readonly Input<S>[] }),
    tools,
    revision: live.revision ?? 0,
    settings: document.settings ?? settingsInput.parse({}),
    pauses: live.pauses ?? [],
    driftAcceptances: live.driftAcceptances ?? [],
    accessGrants: live.accessGrants ?? [],
  };
}

/** Deeper than any schema needs; deeper recursion could exhaust the stack. */
const MAX_DEPTH = 64;

/**
 * The first place of a parsed value that no database stores (NUL, half of a surrogate pair), or that is nested too
 * deep; `null` when there is none.
 */
function unstorable(value: unknown): DocumentProblem | null {
  const flaw = flawIn(value, MAX_DEPTH);
  return flaw === null ? null : { path: dotted(flaw.keys), message: flaw.message };
}
