import { addSparse, bitsWhere, emptyBits, type Bits } from "@/lib/access/model/bitset";
import type { Configuration, Intent } from "@/lib/access/model/configuration";
import { compileGroups, grantedTools, type GroupTable } from "@/lib/access/compile/groups";
import { compileFlows, type CompiledFlows } from "@/lib/access/compile/flows";
import { compileMachines, type MachineTable } from "@/lib/access/compile/machines";
import { createMemory, type Memory } from "@/lib/access/model/memory";
import { atOnce, type Parts } from "@/lib/access/model/parts";
import { compileAccessGrants } from "@/lib/access/compile/access-grants";
import { compilePolicies, namesEveryGroup, type CompiledPolicy } from "@/lib/access/compile/policies";
import { indexPolicies, type PolicyIndex } from "@/lib/access/compile/policy-index";
import { compileProfiles, type ProfileIndex } from "@/lib/access/compile/profile-index";
import { compileTools, type ToolTable } from "@/lib/access/model/tools";

/**
 * A configuration, compiled once per revision for the decisions of all requests (docs/reference/decision.md#cost). It
 * computes rarely used sets on first use; `memory` caches parts of answers. Neither changes an answer.
 */
export interface Index {
  readonly config: Configuration;
  readonly revision: number;
  /** One sentence for each stored item that cannot be used. */
  readonly errors: readonly string[];
  /** The errors about tools and groups. */
  readonly catalogueErrors: readonly string[];
  readonly tools: ToolTable;
  readonly groups: GroupTable;
  /** In evaluation order; the access grants last. */
  readonly policies: readonly CompiledPolicy[];
  readonly policyIndex: PolicyIndex;
  readonly policiesNaming: PoliciesNaming;
  readonly machines: MachineTable;
  readonly profiles: ProfileIndex;
  /** The flow rules that decisions apply. */
  readonly flows: CompiledFlows;
  readonly intents: ReadonlyMap<string, Intent>;
  /** The tools that a routing tier keeps. Computed on first use per tier; the settings allow few tiers. */
  readonly tierTools: (groups: readonly string[]) => Bits;
  readonly pauses: PauseTable;
  readonly memory: Memory;
}

/** The policies by the groups that they name, inactive policies included. */
interface PoliciesNaming {
  /** Policies that name every group: one list, because a list per group would grow with policies × groups. */
  readonly everyGroup: readonly CompiledPolicy[];
  /** By group number, the other policies. */
  readonly group: readonly (readonly CompiledPolicy[])[];
}

/** What the active pauses stop: everything, single sources and single agents. */
interface PauseTable {
  readonly everything: boolean;
  readonly agents: ReadonlySet<string>;
  readonly sources: ReadonlySet<string>;
  /** Tools of sources that are not paused; `null` when no source is paused. */
  readonly running: Bits | null;
}

/**
 * Compiles a configuration. Never throws for stored data: reports what cannot be used, and fails closed. Reuses from
 * `previous` (any other index) what was compiled from identical row objects.
 * The result equals a compile without `previous`, and keeps no other part of `previous` alive.
 */
export function compile(config: Configuration, previous: Index | null = null): Index {
  return atOnce(compileInParts(config, previous));
}

/** Compiles in parts, because thousands of tools that change at once take long. */
export function* compileInParts(config: Configuration, previous: Index | null = null): Parts<Index> {
  const { tools, groups, catalogueErrors } = yield* compileCatalogue(config, previous);
  const errors = [...catalogueErrors];
  const stated = yield* compilePolicies(config, groups, errors, previous?.policies);
  const policies = [...stated, ...(yield* compileAccessGrants(config, stated, { tools, groups }))];
  const machines = yield* compileMachines(config, tools.all, errors);
  const flows = yield* compileFlows(config, tools, errors);
  return {
    config,
    revision: config.revision,
    errors,
    catalogueErrors,
    tools,
    groups,
    policies,
    policyIndex: yield* indexPolicies(policies),
    policiesNaming: yield* policiesByGroup(policies, groups.all.length),
    machines,
    profiles: yield* compileProfiles(config, tools.all),
    flows,
    intents: new Map(config.intents.map((intent) => [intent.name, intent])),
    tierTools: compileTiers(groups, tools.all.length),
    pauses: compilePauses(config, tools),
    memory: createMemory(tools.all.length, groups.groupSets.length),
  };
}

/** Most changes touch no tool: then the tables of the previous index are reused. */
function* compileCatalogue(
  config: Configuration,
  previous: Index | null,
): Parts<Pick<Index, "tools" | "groups" | "catalogueErrors">> {
  if (
    previous !== null &&
    (["sources", "tools", "groups"] as const).every((part) => sameRows(config[part], previous.config[part])) &&
    grantedTools(config).join("\n") === grantedTools(previous.config).join("\n")
  )
    return previous;
  const errors: string[] = [];
  const tools = yield* compileTools(config, errors);
  const groups = yield* compileGroups(config, tools, errors, previous);
  return { tools, groups, catalogueErrors: errors };
}

function sameRows(now: readonly object[], before: readonly object[]): boolean {
  return now === before || (now.length === before.length && now.every((row, number) => row === before[number]));
}

function* policiesByGroup(policies: readonly CompiledPolicy[], size: number): Parts<PoliciesNaming> {
  const everyGroup: CompiledPolicy[] = [];
  const byGroup: CompiledPolicy[][] = Array.from({ length: size }, () => []);
  for (const compiled of policies) {
    yield;
    if (namesEveryGroup(compiled)) everyGroup.push(compiled);
    else for (const group of compiled.groups) byGroup[group]?.push(compiled);
  }
  return { everyGroup, group: byGroup };
}

/** Members count even when the group is inactive or not granted (docs/reference/decision.md#tier). */
function compileTiers(groups: GroupTable, size: number): Index["tierTools"] {
  const tiers = new Map<string, Bits>();
  return (names) => {
    const key = JSON.stringify(names);
    const known = tiers.get(key);
    if (known !== undefined) return known;
    const bits = emptyBits(size);
    for (const name of names) {
      const group = groups.all[groups.numberOf.get(name) ?? -1];
      if (group !== undefined) addSparse(bits, group.members);
    }
    tiers.set(key, bits);
    return bits;
  };
}

function compilePauses(config: Configuration, tools: ToolTable): PauseTable {
  const names = (scope: "source" | "agent"): ReadonlySet<string> =>
    new Set(config.pauses.filter((pause) => pause.scope === scope).flatMap(({ target }) => target ?? []));
  const sources = names("source");
  return {
    everything: config.pauses.some(({ scope }) => scope === "all"),
    agents: names("agent"),
    sources,
    running: sources.size === 0 ? null : bitsWhere(tools.all.length, (n) => !sources.has(tools.all[n]?.source ?? "")),
  };
}

/** Compiles an index again without its pauses. */
export function* withoutPauses(index: Index): Parts<Index> {
  return index.config.pauses.length === 0 ? index : yield* compileInParts({ ...index.config, pauses: [] }, index);
}
