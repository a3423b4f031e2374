import type { FlowRule } from "@/lib/access/model/flow";
import type { Configuration, Group, Policy, Tool } from "@/lib/access/model/configuration";

/** One edit of a configuration: `pick` chooses the row, `other` lends values. */
type Edit = (config: Configuration, other: Configuration, pick: number) => Configuration;

const at = <Row>(rows: readonly Row[], pick: number): Row | undefined => rows[pick % Math.max(rows.length, 1)];

function replaced<Row>(rows: readonly Row[], pick: number, change: (row: Row) => Row): readonly Row[] {
  const chosen = pick % Math.max(rows.length, 1);
  return rows.map((row, index) => (index === chosen ? change(row) : row));
}

const policy =
  (change: (row: Policy, other: Configuration, pick: number) => Policy): Edit =>
  (config, other, pick) => ({
    ...config,
    policies: replaced(config.policies, pick, (row) => change(row, other, pick)),
  });
const group =
  (change: (row: Group, other: Configuration, pick: number) => Group): Edit =>
  (config, other, pick) => ({ ...config, groups: replaced(config.groups, pick, (row) => change(row, other, pick)) });
const tool =
  (change: (row: Tool, other: Configuration, pick: number) => Tool): Edit =>
  (config, other, pick) => ({ ...config, tools: replaced(config.tools, pick, (row) => change(row, other, pick)) });

const flow =
  (change: (row: FlowRule, other: Configuration, pick: number) => FlowRule): Edit =>
  (config, other, pick) => ({ ...config, flows: replaced(config.flows, pick, (row) => change(row, other, pick)) });

const matchersOf = (other: Configuration) => other.policies.flatMap(({ matchers }) => matchers);

/** Rows that both configurations may have, by key: the other's row replaces the first's. */
function exchanged<Row>(rows: readonly Row[], row: Row | undefined, key: (row: Row) => unknown): readonly Row[] {
  if (row === undefined) return rows;
  return [...rows.filter((one) => key(one) !== key(row)), row];
}

const named = ({ name }: { readonly name: string }) => name;

/** Edits as people make them, narrowing and widening, and whole rows of another configuration. */
export const EDITS: readonly Edit[] = [
  policy((row) => ({ ...row, active: false })),
  policy((row) => ({ ...row, active: true })),
  policy((row, other, pick) => {
    const matcher = at(matchersOf(other), pick);
    return matcher === undefined ? row : { ...row, everyone: false, matchers: [...row.matchers, matcher] };
  }),
  policy((row) => ({ ...row, matchers: row.matchers.slice(1), everyone: row.matchers.length === 1 || row.everyone })),
  policy((row, other, pick) => {
    const matcher = at(matchersOf(other), pick);
    return matcher === undefined ? row : { ...row, arguments: [...row.arguments, matcher] };
  }),
  policy((row) => ({ ...row, arguments: row.arguments.slice(1) })),
  policy((row) => ({ ...row, groups: row.groups.slice(1) })),
  policy((row, other, pick) => ({ ...row, groups: [...row.groups, at(other.groups, pick)?.name ?? "default"] })),
  policy((row, other, pick) => ({ ...row, validUntil: at(other.policies, pick)?.validUntil ?? null })),
  policy((row, other, pick) => ({ ...row, validFrom: at(other.policies, pick)?.validFrom ?? null })),
  policy((row) => ({ ...row, effect: row.effect === "allow" ? "deny" : "allow" })),
  policy((row) => ({ ...row, priority: row.priority + 1 })),
  (config, _, pick) => ({
    ...config,
    policies: config.policies.toSpliced(pick % Math.max(config.policies.length, 1), 1),
  }),
  (config, other, pick) => ({ ...config, policies: exchanged(config.policies, at(other.policies, pick), named) }),
  group((row) => ({ ...row, active: !row.active })),
  group((row) => ({ ...row, selectors: row.selectors.slice(1) })),
  group((row, other, pick) => ({
    ...row,
    selectors: [...row.selectors, ...(at(other.groups, pick)?.selectors ?? [])],
  })),
  group((row, other, pick) => ({ ...row, exclude: [...row.exclude, ...(at(other.groups, pick)?.exclude ?? [])] })),
  group((row) => ({ ...row, exclude: row.exclude.slice(1) })),
  group((row) => ({ ...row, include: row.include.slice(1) })),
  group((row, other, pick) => ({ ...row, include: [...row.include, ...(at(other.groups, pick)?.include ?? [])] })),
  (config, _, pick) => ({ ...config, groups: config.groups.toSpliced(pick % Math.max(config.groups.length, 1), 1) }),
  (config, other, pick) => ({ ...config, groups: exchanged(config.groups, at(other.groups, pick), named) }),
  policy((row, other, pick) => ({ ...row, name: at(other.policies, pick)?.name ?? "renamed" })),
  tool((row) => ({ ...row, hasSideEffects: !row.hasSideEffects })),
  tool((row) => ({ ...row, annotations: { readOnlyHint: row.annotations.readOnlyHint !== true } })),
  tool((row) => ({ ...row, description: "other words", name: `${row.operation}2` })),
  tool((row) => ({ ...row, path: "/a", method: "GET", labels: ["l"] })),
  tool((row) => ({ ...row, flowGuess: row.flowGuess === null ? [] : null })),
  tool((row) => ({ ...row, enabled: !row.enabled })),
  tool((row) => ({ ...row, status: row.status === "active" ? "quarantined" : "active" })),
  tool((row, other, pick) => ({ ...row, tags: at(other.tools, pick)?.tags ?? [] })),
  tool((row, other, pick) => ({ ...row, groups: at(other.tools, pick)?.groups ?? null })),
  tool((row) => ({ ...row, groups: row.groups?.slice(1) ?? [] })),
  tool((row, other, pick) => ({ ...row, requiredCapabilities: at(other.tools, pick)?.requiredCapabilities ?? [] })),
  tool((row) => ({ ...row, requiredCapabilities: [...row.requiredCapabilities, "more"] })),
  tool((row, other, pick) => ({ ...row, availableInStates: at(other.tools, pick)?.availableInStates ?? null })),
  tool((row, other, pick) => ({ ...row, definitionHash: at(other.tools, pick)?.definitionHash ?? "one" })),
  (config, _, pick) => ({ ...config, tools: config.tools.toSpliced(pick % Math.max(config.tools.length, 1), 1) }),
  (config, other, pick) => ({ ...config, tools: exchanged(config.tools, at(other.tools, pick), ({ id }) => id) }),
  (config, other, pick) => ({ ...config, machines: exchanged(config.machines, at(other.machines, pick), named) }),
  (config, _, pick) => ({
    ...config,
    machines: replaced(config.machines, pick, (machine) => ({
      ...machine,
      rules: machine.rules.map((rule) => ({ ...rule, availableIn: rule.availableIn?.slice(1) ?? [] })),
    })),
  }),
  (config, _, pick) => ({
    ...config,
    machines: replaced(config.machines, pick, (machine) => ({ ...machine, rules: machine.rules.slice(1) })),
  }),
  (config) => ({ ...config, settings: { ...config.settings, openStart: !config.settings.openStart } }),
  (config, other) => ({ ...config, settings: { ...config.settings, routing: other.settings.routing } }),
  (config, other) => ({ ...config, driftAcceptances: [...config.driftAcceptances, ...other.driftAcceptances] }),
  (config) => ({ ...config, driftAcceptances: config.driftAcceptances.slice(1) }),
  (config, other) => ({ ...config, sources: other.sources }),
  policy((row) => ({ ...row, mode: row.mode === "observe" ? "enforce" : "observe" })),
  tool((row, other, pick) => ({ ...row, flow: at(other.tools, pick)?.flow ?? null })),
  tool((row) => ({ ...row, flow: row.flow ? { ...row.flow, raises: row.flow.raises.slice(1) } : null })),
  flow((row) => ({ ...row, mode: row.mode === "observe" ? "enforce" : "observe" })),
  flow((row) => ({ ...row, active: !row.active })),
  flow((row) => ({ ...row, effect: row.effect === "hide" ? "approve" : "hide" })),
  flow((row) => ({ ...row, when: row.when.slice(1) })),
  flow((row, other, pick) => ({ ...row, when: [...row.when, ...(at(other.flows, pick)?.when ?? [])] })),
  flow((row, other, pick) => ({ ...row, restrict: [...row.restrict, ...(at(other.flows, pick)?.restrict ?? [])] })),
  flow((row) => ({ ...row, restrict: row.restrict.slice(1) })),
  (config, _, pick) => ({ ...config, flows: config.flows.toSpliced(pick % Math.max(config.flows.length, 1), 1) }),
  (config, other, pick) => ({ ...config, flows: exchanged(config.flows, at(other.flows, pick), named) }),
];

/** Applies edits, each with its pick. */
export function edited(
  config: Configuration,
  other: Configuration,
  edits: readonly { readonly edit: number; readonly pick: number }[],
): Configuration {
  return edits.reduce((now, { edit, pick }) => EDITS[edit % EDITS.length]?.(now, other, pick) ?? now, config);
}
