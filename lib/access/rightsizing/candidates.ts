import type { Index } from "@/lib/access/compile/compile";
import { isApplied } from "@/lib/access/compile/policies";
import { freeName } from "@/lib/access/explain/grant";
import { forEachBit, hasBit } from "@/lib/access/model/bitset";
import type { CANDIDATE_KINDS } from "@/lib/access/rightsizing/kinds";
import { ALL, type Configuration, type Group, type Policy } from "@/lib/access/model/configuration";
import { byCodeUnit } from "@/lib/access/model/scalars";

interface PolicyUse {
  readonly policy: Policy;
  /** Ids of the tools that recent callers get through the policy. */
  readonly reachable: readonly string[];
  /** Reachable tools that nobody called through the policy, and that no person marked to keep. */
  readonly unused: ReadonlySet<string>;
}

/** A smaller grant: the rows that it changes or creates. */
export interface Candidate {
  readonly kind: (typeof CANDIDATE_KINDS)[number];
  /** The policy, if it changes. */
  readonly policy: Policy | null;
  /** A new policy, which lets callers request the removed tools. */
  readonly newPolicy: Policy | null;
  /** Changed and new groups. */
  readonly groups: readonly Group[];
  /** Groups that the policy no longer grants. */
  readonly dropped: readonly string[];
  /** Tools (by id) that nobody gets through the policy any more. */
  readonly removed: readonly string[];
}

/** Most tools that a group may list by hand (lib/resources/group.ts). */
const MAX_LISTED = 5000;
/** The longest grant of a new request policy, in hours. */
const REQUEST_HOURS = 8;
/** The stored reason of an exclusion. */
const REASON = "Rightsizing found no calls in its window";

/** The candidates of a policy, smallest change first. Leaves out candidates that remove no tool, or every tool. */
export function candidatesFor(index: Index, use: PolicyUse): readonly Candidate[] {
  if (use.unused.size === 0 || use.unused.size === use.reachable.length) return [];
  const own = ownGroup(index, use);
  return [dropGroups(index, use), excludeTools(index, use), own, restOnRequest(index, use, own)].filter(
    (candidate) => candidate !== null && candidate.removed.length > 0,
  ) as Candidate[];
}

/** The configuration with a candidate's rows. */
export function withCandidate(config: Configuration, { policy, newPolicy, groups }: Candidate): Configuration {
  const named = new Map(groups.map((group) => [group.name, group]));
  const known = new Set(config.groups.map(({ name }) => name));
  return {
    ...config,
    policies: [
      ...config.policies.map((one) => (policy !== null && one.name === policy.name ? policy : one)),
      ...(newPolicy === null ? [] : [newPolicy]),
    ],
    groups: [
      ...config.groups.map((group) => named.get(group.name) ?? group),
      ...groups.filter(({ name }) => !known.has(name)),
    ],
  };
}

/** Drops each group with unused tools whose other tools are all in another group that the policy still grants. */
function dropGroups(index: Index, { policy, reachable, unused }: PolicyUse): Candidate | null {
  if (policy.groups.includes(ALL)) return null;
  // Nobody gets a tool through an inactive group, so it may not stand in for a dropped one.
  const activeGroups = groupsOf(index, policy).filter((group) => hasBit(index.groups.active, group));
  const byGroup = membersByGroup(index, activeGroups);
  /** By kept tool, how many of the remaining active groups hold it. */
  const holders = new Map<string, number>();
  for (const tools of byGroup.values())
    for (const tool of tools) if (!unused.has(tool)) holders.set(tool, (holders.get(tool) ?? 0) + 1);
  const remaining = new Set(policy.groups);
  for (const [group, tools] of byGroup) {
    const kept = tools.filter((tool) => !unused.has(tool));
    if (remaining.size === 1 || kept.length === tools.length) continue;
    if (kept.some((tool) => holders.get(tool) === 1)) continue;
    remaining.delete(group);
    for (const tool of kept) holders.set(tool, (holders.get(tool) ?? 0) - 1);
  }
  const dropped = policy.groups.filter((group) => !remaining.has(group));
  if (dropped.length === 0) return null;
  const staying = new Set([...remaining].flatMap((group) => byGroup.get(group) ?? []));
  const removed = reachable.filter((tool) => !staying.has(tool));
  const narrowed = { ...policy, groups: [...remaining] };
  return { kind: "drop_groups", policy: narrowed, newPolicy: null, groups: [], dropped, removed };
}

/** The groups that a policy grants, by number. */
function groupsOf({ groups: { numberOf, ungrouped } }: Index, { groups }: Policy): readonly number[] {
  if (groups.includes(ALL)) return [...numberOf.values(), ungrouped];
  return groups.flatMap((name) => numberOf.get(name) ?? []);
}

/** By group (by name), the ids of its members, also of those that nobody sees now: a quarantine may end. */
function membersByGroup({ tools, groups }: Index, numbers: readonly number[]): ReadonlyMap<string, readonly string[]> {
  const byGroup = new Map<string, string[]>();
  for (const number of numbers) {
    const group = groups.all[number];
    if (group === undefined) continue;
    const ids: string[] = [];
    forEachBit(group.members, (tool) => ids.push(tools.all[tool]?.id ?? ""));
    byGroup.set(group.name, ids);
  }
  return byGroup;
}

/**
 * Excludes the unused tools from every group through which the policy grants them. Keeps the tools of a group that has no
 * row, that a deny names, or that has no room for more exclusions. An exclusion would free a tool from the deny.
 */
function excludeTools(index: Index, { policy, reachable, unused }: PolicyUse): Candidate | null {
  if (policy.groups.includes(ALL)) return null;
  const denies = index.config.policies.filter((one) => one.effect === "deny" && isApplied(one));
  const denied = new Set(denies.flatMap(({ groups }) => groups));
  const rows = new Map(index.config.groups.flatMap((group) => (denied.has(group.name) ? [] : [[group.name, group]])));
  const removed = new Set(reachable.filter((tool) => unused.has(tool)));
  const byGroup = membersByGroup(index, groupsOf(index, policy));
  const hasRoom = (name: string, members: readonly string[]) =>
    (rows.get(name)?.exclude.length ?? MAX_LISTED) + members.length <= MAX_LISTED;
  for (const [name, all] of byGroup) {
    const members = all.filter((tool) => unused.has(tool));
    if (!hasRoom(name, members)) members.forEach((tool) => removed.delete(tool));
  }
  const groups = policy.groups.flatMap((name) => {
    const group = rows.get(name);
    const members = (byGroup.get(name) ?? []).filter((tool) => removed.has(tool));
    if (group === undefined || members.length === 0) return [];
    const excluded = members.map((tool) => ({ tool, who: null, when: null, reason: REASON }));
    return { ...group, exclude: [...group.exclude, ...excluded] };
  });
  return { kind: "exclude_tools", policy: null, newPolicy: null, groups, dropped: [], removed: [...removed] };
}

/** Replaces the policy's groups by one new group, which lists every tool of them that is not proven unused. */
function ownGroup(index: Index, { policy, reachable, unused }: PolicyUse): Candidate | null {
  const groups = groupsOf(index, policy).filter((group) => hasBit(index.groups.active, group));
  // The members of a group in error are unknown.
  if (groups.some((group) => index.groups.all[group]?.error !== null)) return null;
  const granted = new Set([...membersByGroup(index, groups).values()].flat());
  const kept = [...granted].filter((tool) => !unused.has(tool)).toSorted(byCodeUnit);
  if (kept.length > MAX_LISTED) return null;
  const description = `The tools of ${policy.name} that rightsizing keeps.`;
  const group = groupOf(index.config.groups, `${policy.name}-used`, description, kept);
  const removed = reachable.filter((tool) => unused.has(tool));
  const narrowed = { ...policy, groups: [group.name] };
  return { kind: "own_group", policy: narrowed, newPolicy: null, groups: [group], dropped: policy.groups, removed };
}

/** The candidate of `ownGroup` with a request policy, so that callers can request the removed tools for some hours. */
function restOnRequest(index: Index, { policy }: PolicyUse, own: Candidate | null): Candidate | null {
  if (own === null || own.removed.length > MAX_LISTED) return null;
  const taken = [...index.config.groups, ...own.groups];
  const rest = groupOf(taken, `${policy.name}-rest`, `The other tools of ${policy.name}.`, own.removed);
  const newPolicy: Policy = {
    ...policy,
    name: freeName(index.config.policies, `${policy.name}-on-request`),
    description: `Lets the callers of ${policy.name} request its other tools.`,
    effect: "request",
    groups: [rest.name],
    maxHours: REQUEST_HOURS,
  };
  return { ...own, kind: "rest_on_request", newPolicy, groups: [...own.groups, rest] };
}

function groupOf(taken: readonly Group[], name: string, description: string, tools: readonly string[]): Group {
  return {
    name: freeName(taken, name),
    description,
    guidance: null,
    active: true,
    selectors: [],
    include: tools.map((tool) => ({ tool, who: null, when: null })),
    exclude: [],
  };
}
