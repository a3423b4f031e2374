import type { Configuration } from "@/lib/access/model/configuration";
import { parseDocument, toConfiguration } from "@/lib/config/document";
import { BLANK_SELECTOR } from "@/lib/access/matching/selector-clauses";

type Row = Readonly<Record<string, unknown>>;

const MATCHER = { value: null, ignoreCase: false };

/** Defaults of a case's stored rows, by section. Rows of a document have the defaults of `lib/resources`. */
const DEFAULTS: Readonly<Record<string, (row: Row) => Row>> = {
  tools: (row) => toolRow(row),
  groups: (row) => ({
    description: "",
    guidance: null,
    active: true,
    ...row,
    selectors: list(row.selectors).map((selector) => ({ ...BLANK_SELECTOR, ...selector })),
    include: list(row.include).map((inclusion) => ({ who: null, when: null, ...inclusion })),
    exclude: list(row.exclude).map((exclusion) => ({ who: null, when: null, reason: "", ...exclusion })),
  }),
  policies: (row) => ({
    description: "",
    effect: "allow",
    maxHours: null,
    priority: 0,
    active: true,
    mode: "enforce",
    validFrom: null,
    validUntil: null,
    everyone: false,
    ...row,
    matchers: list(row.matchers).map((matcher) => ({ ...MATCHER, ...matcher })),
    arguments: list(row.arguments).map((matcher) => ({ ...MATCHER, ...matcher })),
  }),
  machines: (row) => ({
    description: "",
    openStart: false,
    ...row,
    states: list(row.states).map((state) => ({ description: "", colour: null, terminal: false, ...state })),
    rules: list(row.rules).map((rule) => ({
      tool: null,
      availableIn: null,
      transitions: [],
      ...rule,
      selector: rule.selector ? { ...BLANK_SELECTOR, ...rule.selector } : null,
    })),
  }),
  flows: (row) => ({
    description: "",
    active: true,
    mode: "enforce",
    effect: "hide",
    ...row,
    restrict: list(row.restrict).map((part) => ({
      is: null,
      tool: null,
      ...part,
      selector: part.selector ? { ...BLANK_SELECTOR, ...part.selector } : null,
    })),
  }),
  sources: (row) => ({ enabled: true, ...row }),
  intents: (row) => ({ description: "", ...row }),
  agents: (row) => ({ persona: null, ...row }),
};

/** The parts of a case that describe its configuration. */
interface Stated {
  readonly file: string;
  readonly name: string;
  readonly configuration: Row;
  readonly stored?: Row | undefined;
  readonly pauses?: Configuration["pauses"] | undefined;
  readonly accessGrants?: Configuration["accessGrants"] | undefined;
  readonly driftAcceptances?:
    | readonly { readonly profile: string; readonly tool: string; readonly definitionHash?: string | undefined }[]
    | undefined;
}

/**
 * The configuration of a case: its document, stored rows that saving would refuse, pauses and accepted drift. Throws on
 * a document that saving would refuse.
 */
export function configurationOf(one: Stated): Configuration {
  const parsed = parseDocument(one.configuration);
  if (!parsed.ok) throw new Error(`${one.file}, ${one.name}: ${JSON.stringify(parsed.errors)}`);
  const saved = toConfiguration(parsed.document);
  const stored = Object.entries(one.stored ?? {}).map(([section, rows]) => {
    const there = list(saved[section as keyof Configuration]);
    const twice = list(rows).find((row) => there.some(({ id, name }) => (id ?? name) === (row.id ?? row.name)));
    if (twice !== undefined) throw new Error(`${one.file}, ${one.name}: ${section} has ${JSON.stringify(twice)} twice`);
    return [section, [...there, ...list(rows).map((row) => DEFAULTS[section]?.(row))]];
  });
  const acceptances = (one.driftAcceptances ?? []).map((row) => ({
    ...row,
    definitionHash: row.definitionHash ?? saved.tools.find((tool) => tool.id === row.tool)?.definitionHash ?? "",
  }));
  return {
    ...saved,
    ...(Object.fromEntries(stored) as object),
    pauses: one.pauses ?? [],
    accessGrants: one.accessGrants ?? [],
    driftAcceptances: acceptances,
  };
}

function toolRow(row: Row): Row {
  const [source = "", operation = ""] = String(row.id).split(":");
  return {
    source,
    operation,
    name: operation,
    displayName: null,
    guidance: null,
    category: null,
    version: null,
    outputSchema: null,
    annotations: {},
    path: null,
    method: null,
    tags: [],
    labels: [],
    groups: null,
    state: null,
    availableInStates: null,
    requiredCapabilities: [],
    enabled: true,
    status: "active",
    definitionHash: `hash of ${String(row.id)}`,
    ...row,
  };
}

function list(value: unknown): readonly Row[] {
  return (value ?? []) as readonly Row[];
}
