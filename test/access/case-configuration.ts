import { DEFAULT_SETTINGS, EMPTY_CONFIGURATION, type Configuration, type Selector } from "@/lib/access/configuration";

type Row = Readonly<Record<string, unknown>>;

const SELECTOR: Selector = {
  source: null,
  name: null,
  path: null,
  method: null,
  requiredTags: [],
  excludedTags: [],
  requiredLabels: [],
};
const MATCHER = { value: null, ignoreCase: false };

/** What a row may leave out, by section. */
const DEFAULTS: Readonly<Record<string, (row: Row) => Row>> = {
  sources: (row) => ({ enabled: true, ...row }),
  tools: (row) => toolRow(row),
  groups: (row) => ({
    description: "",
    guidance: null,
    active: true,
    ...row,
    selectors: list(row.selectors).map((selector) => ({ ...SELECTOR, ...selector })),
    include: list(row.include).map((inclusion) => ({ who: null, when: null, ...inclusion })),
    exclude: list(row.exclude).map((exclusion) => ({ who: null, when: null, reason: "", ...exclusion })),
  }),
  policies: (row) => ({
    description: "",
    effect: "allow",
    priority: 0,
    active: true,
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
      selector: rule.selector === undefined ? null : { ...SELECTOR, ...(rule.selector as Row) },
    })),
  }),
  personas: (row) => ({ description: "", capabilities: [], sampleClaims: {}, ...row }),
  intents: (row) => ({ description: "", ...row }),
};

/**
 * The configuration of a case: its document, then rows that only a database could hold, pauses and
 * accepted drift.
 */
export function configurationOf(one: {
  readonly configuration: Row;
  readonly stored?: Row | undefined;
  readonly pauses?: Configuration["pauses"] | undefined;
  readonly driftAcceptances?:
    | readonly { readonly profile: string; readonly tool: string; readonly definitionHash?: string | undefined }[]
    | undefined;
}): Configuration {
  const { apiVersion: _apiVersion, settings, ...sections } = one.configuration;
  const filled = Object.fromEntries(
    Object.entries(DEFAULTS).map(([section, fill]) => [
      section,
      [...list(sections[section]), ...list(one.stored?.[section])].map(fill),
    ]),
  ) as unknown as Configuration;
  const hashOf = (id: string) => filled.tools.find((tool) => tool.id === id)?.definitionHash ?? "";
  return {
    ...EMPTY_CONFIGURATION,
    ...filled,
    settings: settingsOf((settings ?? {}) as Row),
    pauses: one.pauses ?? [],
    driftAcceptances: (one.driftAcceptances ?? []).map((row) => ({
      definitionHash: hashOf(row.tool),
      ...row,
    })) as Configuration["driftAcceptances"],
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

function settingsOf(stated: Row): Configuration["settings"] {
  return {
    ...DEFAULT_SETTINGS,
    ...stated,
    routing: { ...DEFAULT_SETTINGS.routing, ...(stated.routing as Row | undefined) },
    cache: { ...DEFAULT_SETTINGS.cache, ...(stated.cache as Row | undefined) },
  };
}

function list(value: unknown): readonly Row[] {
  return (value ?? []) as readonly Row[];
}
