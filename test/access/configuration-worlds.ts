import * as fc from "fast-check";
import {
  DEFAULT_SETTINGS,
  type AccessGrant,
  type Configuration,
  type Group,
  type Machine,
  type Policy,
  type Selector,
  type Settings,
  type Source,
  type Tool,
} from "@/lib/access/model/configuration";
import type { FlowGuess, FlowRule, Restriction, ToolFlow } from "@/lib/access/model/flow";
import type { Matcher } from "@/lib/access/model/matcher";
import { instants, matchers } from "@/test/access/claim-worlds";
import {
  CAPABILITIES,
  CLASSES,
  GROUPS,
  HASHES,
  INTENTS,
  LABELS,
  LONG,
  LONG_CACHE,
  PROFILES,
  SOURCES,
  STATES,
  TAGS,
  TOOL_IDS,
  pick,
  rarely,
  some,
  usually,
} from "@/test/access/pools";
import { EMPTY_CONFIGURATION } from "@/test/support/empty-configuration";

const patterns = usually(
  pick(["x", "X", "*", "s*", "?2a", "[xs]*", "[!x]*", "sub*", "*e*", "regex:(x|sub)", "regex:READ", ""]),
  pick(["regex:(", "none"]),
  30,
);
const unchecked = <Value>(arbitrary: fc.Arbitrary<Value>) => usually(fc.constant<Value | null>(null), arbitrary, 2);

const selectors: fc.Arbitrary<Selector> = fc.record({
  source: unchecked(patterns),
  name: unchecked(patterns),
  path: usually(fc.constant<string | null>(null), pick(["*", "/a*", "/*b", "regex:/a"]), 6),
  method: usually(fc.constant<string | null>(null), pick(["get", "*", "P*"]), 6),
  requiredTags: usually(fc.constant<string[]>([]), some(TAGS, 2), 3),
  excludedTags: usually(fc.constant<string[]>([]), some(TAGS, 1), 4),
  requiredLabels: usually(fc.constant<string[]>([]), pick([["l"]]), 8),
  readOnly: usually(fc.constant<boolean | null>(null), fc.boolean(), 8),
  hasSideEffects: usually(fc.constant<boolean | null>(null), fc.boolean(), 8),
  destructive: usually(fc.constant<boolean | null>(null), fc.boolean(), 8),
});

const byHand = fc.record({ tool: pick(TOOL_IDS), who: fc.constant(null), when: fc.constant(null) });
const groups: fc.Arbitrary<Group> = fc.record({
  name: pick<string>(GROUPS),
  description: fc.constant(""),
  guidance: fc.constant(null),
  active: usually(fc.constant(true), fc.constant(false), 8),
  selectors: fc.array(selectors, { maxLength: 2 }),
  include: fc.array(byHand, { maxLength: 3 }),
  exclude: usually(
    fc.constant<never[]>([]),
    fc.array(
      byHand.map((row) => ({ ...row, reason: "" })),
      { maxLength: 4 },
    ),
    2,
  ),
});

const tools: fc.Arbitrary<Tool> = pick(TOOL_IDS).chain((id) => {
  const [source = "", operation = ""] = id.split(":");
  return fc.record({
    id: fc.constant(id),
    source: fc.constant(source),
    operation: fc.constant(operation),
    name: usually(fc.constant(operation), pick(["search", LONG]), 6),
    displayName: fc.constant(null),
    description: fc.constant("does something"),
    guidance: fc.constant(null),
    category: fc.constant(null),
    version: fc.constant(null),
    inputSchema: fc.constant({ type: "object" }),
    outputSchema: fc.constant(null),
    annotations: fc.record({ readOnlyHint: fc.boolean(), destructiveHint: fc.boolean() }, { requiredKeys: [] }),
    hasSideEffects: fc.boolean(),
    path: pick([null, "/a", "/a/b", "/B"]),
    method: pick([null, "GET", "POST"]),
    tags: some(TAGS, 2),
    flow: usually(
      fc.constant<ToolFlow | null>(null),
      fc.record({ raises: some<string>(LABELS, 2), is: some<string>(CLASSES, 2) }),
      1,
    ),
    flowGuess: usually(
      fc.constant<FlowGuess[] | null>(null),
      fc.array(
        fc.record({ kind: pick(["raises", "is"] as const), word: pick(CLASSES), from: fc.constant("method GET") }),
        {
          maxLength: 2,
        },
      ),
      9,
    ),
    labels: usually(fc.constant<string[]>([]), fc.constant<string[]>(["l"]), 3),
    groups: fc.oneof(fc.constant(null), some([...GROUPS, "default", "unheard-of"], 2)),
    state: pick([null, "draft", "done"]),
    availableInStates: usually(fc.constant<string[] | null>(null), some([...STATES, "*"], 2), 2),
    requiredCapabilities: usually(fc.constant<string[]>([]), some(CAPABILITIES, 2), 3),
    enabled: usually(fc.constant(true), fc.constant(false), 10),
    status: usually(fc.constant<Tool["status"]>("active"), pick(["deprecated", "quarantined"]), 10),
    definitionHash: pick(HASHES),
  });
});

const bounds = usually(
  fc.constant<string | null>(null),
  usually(pick(instants), pick(["soon", "2026-02-30T00:00:00Z"]), 8),
  5,
);
const policies: fc.Arbitrary<Policy> = fc
  .record({
    name: pick(["p1", "p2", "p3", "p4", "q1", "q2", "P", "p10"]),
    description: fc.constant(""),
    effect: fc.oneof(
      { weight: 5, arbitrary: fc.constant<Policy["effect"]>("allow") },
      { weight: 1, arbitrary: fc.constant<Policy["effect"]>("deny") },
      { weight: 1, arbitrary: fc.constant<Policy["effect"]>("request") },
    ),
    priority: usually(fc.constant(0), pick([-1, 1, 10]), 2),
    active: usually(fc.constant(true), fc.constant(false), 12),
    mode: usually(fc.constant("enforce" as const), fc.constant("observe" as const), 12),
    validFrom: bounds,
    validUntil: bounds,
    matchers: fc.oneof(
      { weight: 6, arbitrary: fc.constant<Matcher[]>([]) },
      { weight: 4, arbitrary: fc.array(matchers, { minLength: 1, maxLength: 1 }) },
      { weight: 2, arbitrary: fc.array(matchers, { maxLength: 3, size: "max" }) },
    ),
    arguments: usually(fc.constant<never[]>([]), fc.array(matchers, { minLength: 1, maxLength: 2 }), 4),
    groups: usually(
      fc.uniqueArray(pick<string>([...GROUPS, "default", "default"]), { minLength: 1, maxLength: 3 }),
      pick([["*"], ["*"], ["*"], ["*", "a"], ["unheard-of"], ["(ungrouped)"], []]),
      2,
    ),
    neither: rarely(30),
  })
  .map(({ neither, ...policy }) => ({ ...policy, everyone: policy.matchers.length === 0 && !neither }));

/** Grants of the callers that worlds generate, and of others. */
const accessGrants: fc.Arbitrary<AccessGrant> = fc.record({
  id: pick(["g1", "g2", "g3"]),
  policy: pick(["p1", "p2", "p3", "p4", "q1", "q2", "gone"]),
  tool: usually(pick(TOOL_IDS), fc.constant("x:gone"), 8),
  issuer: usually(fc.constant("https://issuer"), fc.constant("https://other"), 6),
  subject: usually(fc.constant("bob"), fc.constant("eve"), 6),
  client: usually(fc.constant<string | null>(null), fc.constant("ide"), 3),
  from: usually(fc.constant("2020-01-01T00:00:00.000Z"), pick(instants), 3),
  until: usually(fc.constant("2030-01-01T00:00:00.000Z"), pick(instants), 3),
});

const machines: fc.Arbitrary<Machine> = fc.record({
  name: pick(["m", "n"]),
  description: fc.constant(""),
  initial: pick<string>(STATES),
  openStart: rarely(4),
  states: some(STATES, 3).map((names) =>
    names.map((name) => ({ name, description: "", colour: null, terminal: false })),
  ),
  rules: fc.array(
    fc
      .record({
        target: fc.oneof(pick(TOOL_IDS), selectors),
        availableIn: usually(fc.constant<string[] | null>(null), some(STATES, 2), 1),
        transitions: fc.uniqueArray(fc.record({ from: pick([...STATES, "*"]), to: pick<string>(STATES) }), {
          maxLength: 2,
          selector: ({ from }) => from,
        }),
      })
      .map(({ target, ...rule }) => ({
        ...rule,
        tool: typeof target === "string" ? target : null,
        selector: typeof target === "string" ? null : target,
      })),
    { maxLength: 4 },
  ),
});

const restrictions: fc.Arbitrary<Restriction> = fc
  .oneof(
    fc.record({ is: pick<string>(CLASSES) }),
    fc.record({ tool: pick(TOOL_IDS) }),
    fc.record({ selector: selectors }),
  )
  .map((part) => ({ is: null, tool: null, selector: null, ...part }));
const flows: fc.Arbitrary<FlowRule> = fc.record({
  name: pick(["f1", "f2", "f3"]),
  description: fc.constant(""),
  active: usually(fc.constant(true), fc.constant(false), 8),
  mode: usually(fc.constant("enforce" as const), fc.constant("observe" as const), 5),
  when: usually(some<string>(LABELS, 2), fc.constant<string[]>([]), 20),
  restrict: fc.array(restrictions, { minLength: 1, maxLength: 2 }),
  effect: usually(fc.constant("hide" as const), fc.constant("approve" as const), 4),
});

const settings: fc.Arbitrary<Settings> = fc.record({
  routing: fc.record({
    high: pick([0.8, 0.9]),
    medium: pick([0.6, 0.3]),
    mode: pick(["conservative", "strict"] as const),
    resolutionGroups: usually(fc.constant<string[]>(["resolution"]), some<string>([...GROUPS, "default"], 2), 2),
    alwaysGroups: usually(fc.constant<string[]>([]), some<string>([...GROUPS, "default"], 1), 2),
  }),
  openStart: usually(fc.constant(true), fc.constant(false), 2),
  // A day outlasts almost every generated time: then only a changed match can end a cache entry.
  cache: pick([
    DEFAULT_SETTINGS.cache,
    LONG_CACHE,
    LONG_CACHE,
    { accessSeconds: 0, groupSeconds: 600 },
    { accessSeconds: 300, groupSeconds: 0 },
  ]),
});

const sources: fc.Arbitrary<readonly Source[]> = fc
  .array(
    fc.record({
      enabled: usually(fc.constant(true), fc.constant(false), 15),
      present: usually(fc.constant(true), fc.constant(false), 20),
    }),
    {
      minLength: SOURCES.length,
      maxLength: SOURCES.length,
    },
  )
  .map((facts) =>
    SOURCES.map((name, at) => ({
      name,
      kind: name === "builtin" ? ("builtin" as const) : ("http" as const),
      ...facts[at]!,
    })),
  )
  .map((rows) => rows.filter(({ present }) => present).map(({ name, kind, enabled }) => ({ name, kind, enabled })));

const named = { selector: ({ name }: { readonly name: string }) => name };
const pauses = pick([
  { scope: "all" as const, target: null, reason: "" },
  { scope: "source" as const, target: "x", reason: "" },
  { scope: "agent" as const, target: "bot", reason: "" },
]);

/** A whole configuration, including invalid rows. */
export const configurations: fc.Arbitrary<Configuration> = fc.record({
  revision: fc.nat({ max: 3 }),
  settings,
  sources,
  tools: fc.uniqueArray(tools, { maxLength: 12, selector: ({ id }) => id, size: "max" }),
  groups: fc.uniqueArray(groups, { minLength: 2, maxLength: 6, ...named, size: "max" }),
  policies: fc.uniqueArray(policies, { minLength: 3, maxLength: 8, ...named, size: "max" }),
  machines: fc.uniqueArray(machines, { maxLength: 2, ...named }),
  intents: fc.uniqueArray(
    fc.record({
      name: pick<string>(INTENTS),
      description: fc.constant(""),
      groups: usually(some<string>([...GROUPS, "default"], 3), pick([[], ["*"]]), 4),
    }),
    { maxLength: 3, ...named, size: "max" },
  ),
  labels: fc.constant(EMPTY_CONFIGURATION.labels),
  flows: usually(fc.constant<FlowRule[]>([]), fc.uniqueArray(flows, { maxLength: 3, ...named }), 1),
  pauses: usually(
    fc.constant<never[]>([]),
    fc.uniqueArray(pauses, { maxLength: 2, selector: ({ scope }) => scope }),
    12,
  ),
  driftAcceptances: fc.array(
    fc.record({ profile: pick<string>(PROFILES), tool: pick(TOOL_IDS), definitionHash: pick<string>(HASHES) }),
    { maxLength: 4 },
  ),
  accessGrants: fc.uniqueArray(accessGrants, { maxLength: 4, selector: ({ id }) => id }),
  personas: fc.constant(EMPTY_CONFIGURATION.personas),
  agents: fc.constant(EMPTY_CONFIGURATION.agents),
  issuers: fc.constant(EMPTY_CONFIGURATION.issuers),
});
