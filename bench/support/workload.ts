import type { Configuration, Group, JsonObject, Policy, Tool } from "@/lib/access/model/configuration";
import { BLANK_SELECTOR } from "@/lib/access/matching/selector-clauses";
import { EMPTY_CONFIGURATION } from "@/test/support/empty-configuration";

/** The size of a workload; its tools are spread evenly over the groups. */
export interface Size {
  readonly tools: number;
  readonly groups: number;
  readonly policies: number;
}

/** The size for which the figures are stated. */
export const STATED: Size = { tools: 10_000, groups: 100, policies: 1_000 };

/** How much of a catalogue one caller matches. */
export interface Density {
  /** Different values of the claims that policies test, and how many roles a caller holds. */
  readonly roles: number;
  readonly callerRoles: number;
  readonly departments: number;
  /** One in this many policies denies; `null` = none. */
  readonly denyEvery: number | null;
  /** The most groups that one policy names. */
  readonly policyGroups: number;
  /** One in this many tools is in a second group; `null` = none. */
  readonly secondGroupEvery: number | null;
}

/** A large organisation: few policies match a caller, who sees a small part of the catalogue. */
export const SPARSE: Density = {
  roles: 250,
  callerRoles: 12,
  departments: 8,
  denyEvery: 25,
  policyGroups: 2,
  secondGroupEvery: null,
};

/** Few roles, which many callers hold: about 25 policies match a caller, who sees a quarter of the catalogue. */
export const DENSE: Density = {
  roles: 20,
  callerRoles: 5,
  departments: 10,
  denyEvery: null,
  policyGroups: 1,
  secondGroupEvery: 5,
};

/** A small linear congruential generator (Numerical Recipes): the same workload in every run. */
export function seeded(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function toTool(number: number, groups: readonly string[]): Tool {
  const operation = `operation_${String(number).padStart(6, "0")}`;
  return {
    id: `shop:${operation}`,
    source: "shop",
    operation,
    name: operation,
    displayName: null,
    description: `Does the work of operation ${number}, and says what came of it.`,
    guidance: null,
    category: null,
    version: null,
    inputSchema: {
      type: "object",
      properties: { id: { type: "string" }, amount: { type: "number" } },
      required: ["id"],
    },
    outputSchema: null,
    hasSideEffects: false,
    annotations: {},
    path: `/${groups[0]}/${number}`,
    method: "POST",
    tags: [...groups],
    labels: [],
    groups: [],
    state: null,
    availableInStates: null,
    requiredCapabilities: [],
    enabled: true,
    status: "active",
    definitionHash: String(number),
  };
}

function toGroup(name: string): Group {
  const selector = { ...BLANK_SELECTOR, source: "shop", name: "operation_*", requiredTags: [name] };
  return { name, description: "", guidance: null, active: true, selectors: [selector], include: [], exclude: [] };
}

/** A policy with two matchers: `roles contains …` and `department equals …`. */
function toPolicy(number: number, groups: number, density: Density, below: (n: number) => number): Policy {
  const { roles, departments, denyEvery, policyGroups } = density;
  return {
    name: `policy-${String(number).padStart(6, "0")}`,
    description: "",
    effect: denyEvery !== null && number % denyEvery === 0 ? "deny" : "allow",
    priority: 0,
    active: true,
    validFrom: null,
    validUntil: null,
    matchers: [
      { claim: "realm_access.roles", operator: "contains", value: `role-${below(roles)}`, ignoreCase: false },
      { claim: "department", operator: "equals", value: `department-${below(departments)}`, ignoreCase: false },
    ],
    everyone: false,
    arguments: [],
    groups: Array.from({ length: 1 + below(policyGroups) }, () => `group-${below(groups)}`),
  };
}

/** A configuration of the given size. */
export function configurationOf(size: Size, seed = 1, density = SPARSE): Configuration {
  const below = seeded(seed);
  const groups = Array.from({ length: size.groups }, (_, n) => `group-${n}`);
  return {
    ...EMPTY_CONFIGURATION,
    revision: 1,
    sources: [{ name: "shop", kind: "openapi", enabled: true }],
    tools: Array.from({ length: size.tools }, (_, n) => toTool(n, groupsOf(n, groups, density))),
    groups: groups.map(toGroup),
    policies: Array.from({ length: size.policies }, (_, n) => toPolicy(n, size.groups, density, below)),
  };
}

function groupsOf(tool: number, groups: readonly string[], { secondGroupEvery }: Density): readonly string[] {
  const isInTwo = secondGroupEvery !== null && tool % secondGroupEvery === 0;
  // The second group is far from the first, and tools that share the first do not all share it.
  const places = isInTwo ? [tool, tool + 1 + (Math.floor(tool / groups.length) % (groups.length - 1))] : [tool];
  return places.map((place) => groups[place % groups.length] ?? "");
}

/** The same configuration plus as many tools and policies that no caller of `callersOf` can reach. */
export function withUnreachable(config: Configuration): Configuration {
  const name = (text: string): string => `far-${text}`;
  return {
    ...config,
    tools: [
      ...config.tools,
      ...config.tools.map((one) => ({
        ...one,
        id: `${one.id}_far`,
        operation: `${one.operation}_far`,
        name: `${one.name}_far`,
        tags: one.tags.map(name),
      })),
    ],
    groups: [...config.groups, ...config.groups.map((one) => toGroup(name(one.name)))],
    policies: [
      ...config.policies,
      ...config.policies.map((one) => ({
        ...one,
        name: name(one.name),
        groups: one.groups.map(name),
        matchers: one.matchers.map((matcher) => ({ ...matcher, value: name(String(matcher.value)) })),
      })),
    ],
  };
}

/** Callers with different claims, each with its roles and the claims that every token has. */
export function callersOf(
  count: number,
  seed = 2,
  { roles, callerRoles, departments }: Density = SPARSE,
): readonly JsonObject[] {
  const below = seeded(seed);
  return Array.from({ length: count }, (_, n) => ({
    iss: "https://issuer.example",
    sub: `user-${n}`,
    aud: "quartermaster",
    exp: 1_800_000_000 + n,
    iat: 1_700_000_000 + n,
    jti: `token-${n}`,
    department: `department-${below(departments)}`,
    realm_access: { roles: Array.from({ length: callerRoles }, () => `role-${below(roles)}`) },
  }));
}
