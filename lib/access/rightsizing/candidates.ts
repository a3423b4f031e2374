import type { Index } from "@/lib/access/compile/compile";
import { freeName } from "@/lib/access/explain/grant";
import type { CANDIDATE_KINDS } from "@/lib/access/rightsizing/kinds";
import { ALL, type Configuration, type Group, type Policy } from "@/lib/access/model/configuration";

/** What is known of the use of one policy. */
interface PolicyUse {
  readonly policy: Policy;
  /** Ids of the tools that recent callers get through it. */
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
const REASON = "Not called in the window of a rightsizing";

/** The cuts of a policy, smallest first. A cut that would remove nothing, or everything, is left out. */
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

/** Drops groups as long as every tool that stays is in another granted group. */
function dropGroups(index: Index, { policy, reachable, unused }: PolicyUse): Candidate | null {
  if (policy.groups.includes(ALL)) return null;
  const kept = reachable.filter((tool) => !unused.has(tool));
  let left = [...policy.groups];
  for (const group of policy.groups) {
    const others = left.filter((one) => one !== group);
    const hasUnused = reachable.some((tool) => unused.has(tool) && isMember(index, tool, [group]));
    if (others.length > 0 && hasUnused && kept.every((tool) => isMember(index, tool, others))) left = others;
  }
  const dropped = policy.groups.filter((group) => !left.includes(group));
  if (dropped.length === 0) return null;
  const removed = reachable.filter((tool) => !isMember(index, tool, left));
  return { kind: "drop_groups", policy: { ...policy, groups: left }, newPolicy: null, groups: [], dropped, removed };
}

/** Excludes the unused tools from every group through which the policy grants them. Groups without a row have no exclusions. */
function excludeTools(index: Index, { policy, reachable, unused }: PolicyUse): Candidate | null {
  if (policy.groups.includes(ALL)) return null;
  const rows = new Map(index.config.groups.map((group) => [group.name, group]));
  const removed = reachable.filter((tool) => {
    const through = policy.groups.filter((group) => isMember(index, tool, [group]));
    return unused.has(tool) && through.every((group) => rows.has(group));
  });
  const groups = policy.groups.flatMap((name) => {
    const group = rows.get(name);
    const members = removed.filter((tool) => isMember(index, tool, [name]));
    if (group === undefined || members.length === 0 || group.exclude.length + members.length > MAX_LISTED) return [];
    const excluded = members.map((tool) => ({ tool, who: null, when: null, reason: REASON }));
    return { ...group, exclude: [...group.exclude, ...excluded] };
  });
  return { kind: "exclude_tools", policy: null, newPolicy: null, groups, dropped: [], removed };
}

/** Replaces the policy's groups by a new one that lists the tools that stay. */
function ownGroup(index: Index, { policy, reachable, unused }: PolicyUse): Candidate | null {
  const kept = reachable.filter((tool) => !unused.has(tool));
  if (kept.length > MAX_LISTED) return null;
  const description = `The tools that callers use through ${policy.name}.`;
  const group = groupOf(index, `${policy.name}-used`, description, kept);
  const removed = reachable.filter((tool) => unused.has(tool));
  const narrowed = { ...policy, groups: [group.name] };
  return { kind: "own_group", policy: narrowed, newPolicy: null, groups: [group], dropped: policy.groups, removed };
}

/** The cut of `ownGroup`, and a request policy for the tools that it removes: callers can ask for them for some hours. */
function restOnRequest(index: Index, { policy }: PolicyUse, own: Candidate | null): Candidate | null {
  if (own === null || own.removed.length > MAX_LISTED) return null;
  const rest = groupOf(index, `${policy.name}-rest`, `The other tools of ${policy.name}.`, own.removed);
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

function groupOf(index: Index, name: string, description: string, tools: readonly string[]): Group {
  return {
    name: freeName(index.config.groups, name),
    description,
    guidance: null,
    active: true,
    selectors: [],
    include: tools.map((tool) => ({ tool, who: null, when: null })),
    exclude: [],
  };
}

/** Whether a tool (by id) is a member of one of these groups. */
function isMember({ tools, groups }: Index, tool: string, names: readonly string[]): boolean {
  const number = tools.numberOf.get(tool) ?? -1;
  const members = groups.groupSets[groups.groupSetOf[number] ?? -1]?.members ?? [];
  return members.some((group) => names.includes(groups.all[group]?.name ?? ""));
}
