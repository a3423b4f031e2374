import * as fc from "fast-check";
import type { Json, JsonObject } from "@/lib/access/model/configuration";
import type { ValueKind } from "@/lib/access/matching/operator-spec";
import { operatorTable } from "@/lib/access/matching/operators";
import { OPERATORS, type Matcher, type OperatorName } from "@/lib/access/model/matcher";

/**
 * The instant near which all generated times lie: 2026-03-31T12:00:00Z, in a month that is longer than its neighbours.
 */
export const NOW = Date.UTC(2026, 2, 31, 12);

const text = (at: number) => new Date(at).toISOString();
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Times at, near and far from `NOW`, as RFC 3339 text. */
export const instants: readonly string[] = [
  ...[-400 * DAY, -31 * DAY, -DAY, -HOUR, -1, 0, 1, HOUR, DAY, 28 * DAY, 400 * DAY].map((step) => text(NOW + step)),
  "2026-03-31T14:00:00+02:00",
  "2026-02-28T12:00:00Z",
];

const common = ["a", "b", "admin"];
const words = [
  ...common,
  ...common,
  ...common,
  "A",
  "superadmin",
  "Admin",
  "5",
  "true",
  "a b",
  "",
  "1.2.3",
  "10.0.0.1",
];
const scalars: readonly Json[] = [...words, 5, 0, -1, 1.5, true, false];
const addresses = ["10.0.0.1", "10.1.2.3", "192.0.2.7", "::1", "2001:db8::1", "::ffff:10.0.0.9", "10.0.0", "unknown"];
const ranges = ["10.0.0.0/8", "10.0.0.0/31", "0.0.0.0/0", "2001:db8::/32", "::/0", "192.0.2.7/32", "ten"];
const versions = ["1.2.3", "1.10.0", "1.2.3-rc.1", "1.2.3-rc.10", "2.0.0+5", "1.2", "latest"];
const numbers: readonly Json[] = [5, 0, -1, 1.5, "5", "1e2", "1e999", "NaN", "05", " 5", 4.999];
const durations = ["PT1H", "P1D", "P1M", "P1Y", "P1W", "P1Y2M3DT4H5M6S", "PT0S", "P", "a day"];
const regexes = ["a", "a$", "(admin|b)$", "[0-9]+", ".*min", "^a", "(", "\\"];
const globs = ["a*", "*", "?", "*min", "super*", "a b", "[a]"];

const pick = <Value>(values: readonly Value[]) => fc.constantFrom(...values);
const oneOf = fc.oneof;

/** Values that an operator of each kind can usually read. */
const VALUES: Readonly<Record<ValueKind, fc.Arbitrary<Json>>> = {
  none: fc.constant(null),
  scalar: pick([...scalars, "ad", "min", "super"]),
  list: oneOf(
    { weight: 3, arbitrary: fc.array(pick(scalars), { maxLength: 3 }) },
    { weight: 1, arbitrary: pick(["a,b", " a , admin ", "b"]) },
  ),
  number_or_time: oneOf(pick(numbers), pick(instants)),
  duration: pick(durations),
  pattern: pick(regexes),
  glob: pick(globs),
  version: pick(versions),
  cidr: pick(ranges),
};

/** A value that usually suits an operator, and sometimes has the wrong shape or is unreadable. */
function valueFor(operator: OperatorName): fc.Arbitrary<Json> {
  const { value } = operatorTable[operator];
  if (value === "none") return VALUES.none;
  return oneOf(
    { weight: 20, arbitrary: VALUES[value] },
    { weight: 1, arbitrary: pick<Json>([null, { a: 1 }, [["a"]], [null], true, "@"]) },
  );
}

/** Claim names that suit an operator: their values are usually ones that it can use. */
function pathFor(operator: OperatorName): fc.Arbitrary<string> {
  const anywhere = pick([
    "role",
    "roles",
    "realm.roles",
    "realm.role",
    'realm["a.b"]',
    '["https://x.y/z"]',
    "roles[0]",
    "deep[1].role",
    "role.roles",
    "roles.0",
    "scope",
    "constructor",
    "__proto__",
    "toString",
    "realm.constructor",
    "realm.hasOwnProperty",
    "roles.length",
  ]);
  const broken = pick(["a..b", "", "roles[", "roles[x]", ".role"]);
  return oneOf(
    { weight: 12, arbitrary: pick(usualClaims(operator)) },
    { weight: 6, arbitrary: anywhere },
    { weight: 1, arbitrary: broken },
  );
}

function usualClaims(operator: OperatorName): readonly string[] {
  const { value, constraint } = operatorTable[operator];
  if (constraint.byWord) return ["scope", "roles"];
  return USUAL_CLAIMS[value] ?? ["role", "roles", "realm.roles"];
}

/** The claims that have values of a kind, where it is not text. */
const USUAL_CLAIMS: Readonly<Partial<Record<ValueKind, readonly string[]>>> = {
  number_or_time: ["level", "at"],
  duration: ["at"],
  version: ["version"],
  cidr: ["ip"],
};

const known: fc.Arbitrary<Matcher> = oneOf(
  { weight: 2, arbitrary: pick<OperatorName>(["equals", "contains", "in", "has_scope", "exists", "not_exists"]) },
  { weight: 3, arbitrary: pick(OPERATORS) },
).chain((operator) =>
  fc.record({
    claim: pathFor(operator),
    operator: fc.constant(operator),
    value: valueFor(operator),
    ignoreCase: fc.boolean(),
  }),
);

/** Matchers with every operator, and sometimes one that no version knows. */
export const matchers: fc.Arbitrary<Matcher> = oneOf(
  { weight: 30, arbitrary: known },
  {
    weight: 1,
    arbitrary: fc.record({
      claim: pathFor("equals"),
      operator: fc.constant("resembles"),
      value: pick(scalars),
      ignoreCase: fc.boolean(),
    }),
  },
);

const mostlyText = oneOf({ weight: 6, arbitrary: pick<Json>(words) }, { weight: 1, arbitrary: pick(scalars) });
const lists: fc.Arbitrary<Json> = fc.array(
  oneOf(
    { weight: 6, arbitrary: mostlyText },
    { weight: 1, arbitrary: pick<Json>([null, { a: 1 }, ["a"], [], `a${"x".repeat(4096)}`]) },
  ),
  {
    maxLength: 3,
  },
);
const odd: fc.Arbitrary<Json> = pick<Json>([
  null,
  {},
  { role: "a" },
  [],
  [null],
  [{ role: "a" }],
  [["a"]],
  true,
  0,
  "",
  "x".repeat(4097),
]);
const maybe = (usual: fc.Arbitrary<Json>) => oneOf({ weight: 8, arbitrary: usual }, { weight: 1, arbitrary: odd });

const realm = fc.record(
  { roles: lists, role: mostlyText, "a.b": mostlyText, constructor: mostlyText },
  { requiredKeys: ["roles"] },
);
const moments = oneOf(
  pick<Json>(instants),
  pick<Json>([NOW / 1000, NOW / 1000 - 60, NOW / 1000 + 0.5, "yesterday", "2026-03-31"]),
);

/** Claims: missing, null, wrong-typed, nested, lists, objects, names that every object inherits. */
export const claims: fc.Arbitrary<JsonObject> = oneOf(
  { weight: 4, arbitrary: claimsWith(["role", "roles", "realm"]) },
  { weight: 1, arbitrary: claimsWith([]) },
);

function claimsWith(requiredKeys: ("role" | "roles" | "realm")[]): fc.Arbitrary<JsonObject> {
  return fc.record(
    {
      role: maybe(mostlyText),
      roles: maybe(lists),
      scope: maybe(pick<Json>(["a b", "admin", "A  admin", "ab", ["a b", "a"]])),
      level: maybe(pick(numbers)),
      at: maybe(moments),
      version: maybe(pick<Json>(versions)),
      ip: maybe(oneOf(pick<Json>(addresses), fc.array(pick<Json>(addresses), { maxLength: 2 }))),
      realm: maybe(realm),
      iss: oneOf({ weight: 6, arbitrary: fc.constant("https://issuer") }, maybe(lists)),
      sub: oneOf({ weight: 6, arbitrary: fc.constant("bob") }, maybe(lists)),
      client_id: maybe(pick<Json>(["ide", "", 5])),
      azp: maybe(pick<Json>(["ide"])),
      deep: maybe(pick<Json>([["a", { role: "a" }], [{ role: "a" }], [[], { role: ["b", "admin"] }]])),
      "https://x.y/z": maybe(lists),
      constructor: mostlyText,
      toString: odd,
    },
    { requiredKeys },
  );
}

/** Arguments of a call: the same names as claims, so that conditions find values. */
export const callArguments: fc.Arbitrary<JsonObject> = claims;
