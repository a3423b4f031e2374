import * as fc from "fast-check";
import type { Configuration, Json, JsonObject, Policy } from "@/lib/access/model/configuration";
import type { Matcher } from "@/lib/access/model/matcher";
import { instants, matchers } from "@/test/access/claim-worlds";
import { EMPTY_CONFIGURATION } from "@/test/support/empty-configuration";

const pick = <Value>(values: readonly Value[]) => fc.constantFrom(...values);
const PATHS = [
  "role",
  "role",
  "role",
  "roles",
  "roles",
  "roles[0]",
  "realm.roles",
  "realm",
  "level",
  "toString",
] as const;
const TEXTS = ["a", "b", "A", "ab", "a b", "", "5", "true", "1.2.3", "10.0.0.1"] as const;
const SMALL = ["a", "b", "A", "ab", "5", "a b"] as const;

const operatorsOfText = [
  "equals",
  "not_equals",
  "in",
  "not_in",
  "contains",
  "not_contains",
  "contains_any",
  "contains_all",
  "contains_none",
  "has_scope",
  "lacks_scope",
  "starts_with",
  "ends_with",
  "text_contains",
  "exists",
  "not_exists",
] as const;
const LISTS: ReadonlySet<string> = new Set(["in", "not_in", "contains_any", "contains_all", "contains_none"]);

/** Matchers over few paths and few texts, so that they contradict and imply each other; sometimes any operator. */
const closeMatchers: fc.Arbitrary<Matcher> = fc.oneof(
  {
    weight: 8,
    arbitrary: pick(operatorsOfText).chain((operator) =>
      fc.record({
        claim: pick<string>(PATHS),
        operator: fc.constant(operator),
        value: (LISTS.has(operator)
          ? fc.uniqueArray(pick<string>(SMALL), { minLength: operator.startsWith("contains") ? 1 : 0, maxLength: 3 })
          : pick<string>(operator.includes("exists") ? [""] : SMALL)) as fc.Arbitrary<Json>,
        ignoreCase: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
      }),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      claim: pick(["level", "level", "role"]),
      operator: pick(["gt", "gte", "lt", "lte", "semver_gte", "semver_lt", "cidr", "equals"] as const),
      value: pick<Json>([4, 5, 6, "5", "1.2.3", "2.0.0", "10.0.0.0/8", "10.0.0.0/30"]),
      ignoreCase: fc.constant(false),
    }),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(matchers, pick<string>(PATHS), fc.boolean())
      .map(([matcher, claim, moved]) => (moved ? { ...matcher, claim } : matcher)),
  },
);

const bounds = fc.oneof(
  { weight: 8, arbitrary: fc.constant<string | null>(null) },
  { weight: 1, arbitrary: pick<string>([...instants, "soon"]) },
);

const policies = fc.record({
  name: pick(["p1", "p2", "p3", "p4", "q1", "q2", "q3", "q4"]),
  description: fc.constant(""),
  effect: fc.oneof(
    { weight: 2, arbitrary: fc.constant<Policy["effect"]>("allow") },
    { weight: 1, arbitrary: fc.constant<Policy["effect"]>("deny") },
  ),
  priority: pick([0, 0, 1]),
  active: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  validFrom: bounds,
  validUntil: bounds,
  matchers: fc.array(closeMatchers, { maxLength: 4 }),
  everyone: fc.constant(false),
  arguments: fc.oneof(
    { weight: 5, arbitrary: fc.constant<Matcher[]>([]) },
    { weight: 1, arbitrary: fc.array(closeMatchers, { minLength: 1, maxLength: 1 }) },
  ),
  groups: pick([["g"], ["g"], ["g", "h"], ["h"], ["*"], ["g", "missing"]]),
});

const group = (name: string) => ({
  name,
  description: "",
  guidance: null,
  active: true,
  selectors: [],
  include: [{ tool: `x:${name}`, who: null, when: null }],
  exclude: [],
});
const tool = (operation: string): Configuration["tools"][number] => ({
  id: `x:${operation}`,
  source: "x",
  operation,
  name: operation,
  displayName: null,
  description: "",
  guidance: null,
  category: null,
  version: null,
  inputSchema: {},
  outputSchema: null,
  annotations: {},
  hasSideEffects: false,
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
  definitionHash: "",
});

/** Two groups with one tool each, and policies that resemble each other. */
export const findingWorlds: fc.Arbitrary<Configuration> = fc
  .uniqueArray(policies, { minLength: 2, maxLength: 6, selector: ({ name }) => name, size: "max" })
  .map((some) => ({
    ...EMPTY_CONFIGURATION,
    revision: 1,
    sources: [{ name: "x", kind: "http" as const, enabled: true }],
    tools: [tool("g"), tool("h"), tool("loose")],
    groups: [group("g"), group("h")],
    policies: some.map((policy) => ({ ...policy, everyone: policy.matchers.length === 0 })),
  }));

const scalars = pick<Json>([...TEXTS, ...SMALL, 4, 5, 5.5, 6, true, 0]);
const values: fc.Arbitrary<Json> = fc.oneof(
  { weight: 5, arbitrary: scalars },
  { weight: 5, arbitrary: fc.array(scalars, { maxLength: 4 }) },
  { weight: 1, arbitrary: pick<Json>([null, {}, [null], [{}], [["a"]], { roles: "a" }, ["a", null, {}]]) },
);

/** Claims at the same paths, of every shape. */
export const closeClaims: fc.Arbitrary<JsonObject> = fc.record(
  {
    role: values,
    roles: values,
    level: values,
    realm: fc.oneof(values, fc.record({ roles: values }, { requiredKeys: [] })),
    toString: values,
    at: pick<Json>(instants),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<JsonObject>;

const TINY = ["a", "A", "b", "a b", "5"] as const;

/** Matchers on one path, over the fewest texts that distinguish operators. */
const tinyMatchers: fc.Arbitrary<Matcher> = fc
  .oneof(
    { weight: 9, arbitrary: fc.tuple(pick<string>(operatorsOfText), fc.boolean()) },
    { weight: 1, arbitrary: fc.tuple(pick<string>(["gt", "lte", "semver_lt", "cidr"]), fc.constant(false)) },
  )
  .chain(([operator, ignoreCase]) =>
    fc.record({
      claim: fc.constant("role"),
      operator: fc.constant(operator),
      value: (LISTS.has(operator)
        ? fc.uniqueArray(pick<string>(TINY), { minLength: operator.startsWith("contains") ? 1 : 0, maxLength: 2 })
        : operator.includes("exists")
          ? fc.constant(null)
          : pick<Json>(NUMERIC[operator] ?? TINY)) as fc.Arbitrary<Json>,
      ignoreCase: fc.constant(ignoreCase),
    }),
  );

const NUMERIC: Readonly<Record<string, readonly Json[]>> = {
  gt: [4, 5],
  lte: [4, 5],
  semver_lt: ["1.0.0"],
  cidr: ["10.0.0.0/8"],
};

/** Two policies about one claim, small enough to try every relevant value. */
export const tinyWorlds: fc.Arbitrary<Configuration> = fc
  .tuple(
    ...(["p", "q"] as const).map((name) =>
      fc.record({
        name: fc.constant(name),
        description: fc.constant(""),
        effect: fc.oneof(
          { weight: 3, arbitrary: fc.constant<Policy["effect"]>("allow") },
          { weight: 2, arbitrary: fc.constant<Policy["effect"]>("deny") },
        ),
        priority: fc.constant(0),
        active: fc.constant(true),
        validFrom: fc.constant(null),
        validUntil: fc.constant(null),
        matchers: fc.array(tinyMatchers, { minLength: 1, maxLength: 3 }),
        everyone: fc.constant(false),
        arguments: fc.constant<Matcher[]>([]),
        groups: fc.constant(["g"]),
      }),
    ),
  )
  .map((both) => ({
    ...EMPTY_CONFIGURATION,
    revision: 1,
    sources: [{ name: "x", kind: "http" as const, enabled: true }],
    tools: [tool("g")],
    groups: [group("g")],
    policies: both,
  }));

const tinyScalars: readonly Json[] = [...TINY, "B", "A B", "b a", "ab", "", 5, 4, 6, true, "0.9.0", "10.0.0.1"];

/** Every claim that distinguishes policies of a tiny world: all scalars, and all lists of up to two of them. */
export const tinyClaims: readonly JsonObject[] = [
  {},
  ...[null, {}, { a: "a" }, [], [{}], ["a", "b", "A"], ["a", "a b", "5"]].map((role) => ({ role })),
  ...tinyScalars.flatMap((role) => [{ role }, { role: [role] }, { role: [role, {}] }]),
  ...tinyScalars.flatMap((one) => tinyScalars.map((other) => ({ role: [one, other] }))),
];
