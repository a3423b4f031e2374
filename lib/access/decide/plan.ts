import { emptyBits, hasBit, setBit, type Bits } from "@/lib/access/model/bitset";
import { compileGrants } from "@/lib/access/model/capabilities";
import type { Index } from "@/lib/access/compile/compile";
import { ALL, MAIN_PROFILE } from "@/lib/access/model/configuration";
import { rulesHeld } from "@/lib/access/compile/flows";
import type { CompiledPolicy } from "@/lib/access/compile/policies";
import type { Reason, ResolveRequest, Step } from "@/lib/access/decide/resolution";
import type { PolicySearch } from "@/lib/access/compile/policy-index";
import { routeTier, type Tier } from "@/lib/access/decide/routing";

/** One condition of a step: the tools (by number) that pass it, and the reason for those that do not. */
export interface Gate {
  readonly reason: Reason;
  /** The name of the profile or of the flow rule, in their gates. */
  readonly name?: string;
  readonly passing: Bits;
}

/** The steps that test one set of tools. The other steps depend on a tool's groups or capabilities. */
type GatedStep = Extract<Step, "policy" | "enabled" | "state" | "flow" | "profile" | "tier">;

/**
 * The part of one decision that is the same for all tools: what the policies grant, and what each later step lets
 * through. List, check, reasons and explanation read this one plan, so they cannot disagree.
 */
export interface Plan {
  readonly index: Index;
  readonly request: ResolveRequest;
  /** Epoch milliseconds. */
  readonly now: number;
  /** The number of this decision: a cached verdict with another number is out of date. */
  readonly decision: number;
  /** Matching policies in evaluation order. */
  readonly matched: readonly CompiledPolicy[];
  /** The groups that matching allows name. This and the sets below hold group numbers. */
  readonly allowed: Bits;
  /** Groups that matching denies name, active or not: all their members are withheld. `null` when there are none. */
  readonly denied: Bits | null;
  /** `allowed` without `denied`. */
  readonly granted: Bits;
  /** The active groups; under `includeDisabled` every group. */
  readonly active: Bits;
  /** The requested groups; `null` = every group. */
  readonly requested: Bits | null;
  /** The granted, active and requested groups: they let their tools through. */
  readonly passing: Bits;
  /**
   * Groups that matching request policies name, active, requested and not denied. `null` when no request policy matches.
   */
  readonly requestable: Bits | null;
  /** Whether `granted` has a group, also when the plan is for few tools and leaves policies out. */
  readonly grantsAny: () => boolean;
  /** True when a pause stops every tool for this caller. */
  readonly stopped: boolean;
  readonly state: string;
  readonly profiles: readonly string[];
  readonly tier: Tier;
  readonly gates: Readonly<Record<GatedStep, readonly Gate[]>>;
  /** Whether a set of required capabilities (by number) is granted. */
  readonly isCapable: (need: number) => boolean;
  /** `null` when no matching policy has argument conditions. */
  readonly conditions: Conditions | null;
}

/** The groups (by number) that argument conditions affect. */
interface Conditions {
  /** Groups that some matching allow policy grants without conditions. */
  readonly unconditional: Bits;
  /** Groups named by a matching deny with conditions: it binds every member, whatever group grants the tool. */
  readonly denied: Bits;
}

/**
 * Plans one decision from the matching policies.
 *
 * @param grantsAny given when `matched` leaves policies out: whether all matching policies together grant a group
 */
export function makePlan(
  index: Index,
  request: ResolveRequest,
  now: number,
  matched: readonly CompiledPolicy[] = index.policyIndex.matching(request.claims, now),
  grantsAny: (() => boolean) | null = null,
): Plan {
  const { groups, memory, pauses } = index;
  const size = groups.all.length;
  const { allowed, granted, denied, offered, conditions } = collectGrants(matched, size);
  const active = request.includeDisabled ? everything(size) : groups.active;
  const requested = request.group === null || request.group.includes(ALL) ? null : toGroupBits(index, request.group);
  const reached = requested === null ? active : intersect(active, requested);
  const tier = routeTier(index.intents, index.config.settings.routing, request);
  const machine = index.machines.get(request.machine);
  const profiles = request.profiles.length === 0 ? [MAIN_PROFILE] : request.profiles;
  const state = request.state === null || request.state === "" ? (machine?.initial ?? "") : request.state;
  memory.decisions += 1;
  return {
    index,
    request,
    now,
    decision: memory.decisions,
    matched,
    allowed,
    granted,
    denied,
    requestable: offered === null ? null : intersect(offered, reached),
    active,
    requested,
    passing: intersect(granted, reached),
    grantsAny: grantsAny ?? (() => granted.some((word) => word !== 0)),
    stopped:
      !request.includeDisabled && (pauses.everything || (request.agent !== null && pauses.agents.has(request.agent))),
    state,
    profiles,
    tier,
    gates: {
      policy: request.includeDisabled || pauses.running === null ? [] : [{ reason: "paused", passing: pauses.running }],
      enabled: request.includeDisabled ? [] : index.tools.disabled,
      state: [{ reason: "state_mismatch", passing: machine?.available(state) ?? emptyBits(index.tools.all.length) }],
      flow: flowGates(index, request),
      profile: profileGates(index, profiles),
      tier: tier.groups === null ? [] : [{ reason: "tier_narrowed", passing: index.tierTools(tier.groups) }],
    },
    isCapable: capabilityTest(index, request.capabilities),
    conditions,
  };
}

/** The plan without the state step, for the tools of every state that a call may lead to. */
export function inAnyState(plan: Plan): Plan {
  return { ...plan, gates: { ...plan.gates, state: [] } };
}

/** With more policies than this to test one by one, a search by claims is faster. */
const MAX_TESTED_POLICIES = 200;

/**
 * Plans a decision about a few tools (by number). Tests only the policies that name a group of these tools, so a check
 * does not depend on everything that its caller matches. The plan holds for these tools only.
 */
export function makePlanFor(index: Index, request: ResolveRequest, now: number, tools: readonly number[]): Plan {
  const policies = policiesOnTools(index, tools);
  if (policies === null) return makePlan(index, request, now);
  const search = index.policyIndex.search(request.claims, now);
  return makePlan(index, request, now, search.all(policies), () => isAnyGranted(index, search));
}

/** Lists of the policies that name a group of one of these tools; `null` when there are too many to test one by one. */
function policiesOnTools(
  { groups, policiesNaming }: Index,
  tools: readonly number[],
): readonly (readonly CompiledPolicy[])[] | null {
  const lists = [policiesNaming.everyGroup];
  let left = MAX_TESTED_POLICIES - policiesNaming.everyGroup.length;
  for (const tool of tools) {
    const groupSet = groups.groupSets[groups.groupSetOf[tool] ?? -1];
    if (groupSet === undefined) continue;
    for (const kind of [groupSet.members, groupSet.excluded])
      for (const group of kind) {
        const list = policiesNaming.group[group] ?? [];
        left -= list.length;
        if (left < 0) return null;
        lists.push(list);
      }
  }
  return left < 0 ? null : lists;
}

/** Whether the caller is granted any group. Usually the first matching allow decides, because no deny names its group. */
function isAnyGranted(index: Index, search: PolicySearch): boolean {
  const group = search.any(({ policy, groups }) => policy.effect === "allow" && groups.length > 0)?.groups[0];
  if (group === undefined) return false;
  const { policiesNaming } = index;
  const isDenied = [policiesNaming.everyGroup, policiesNaming.group[group] ?? []].some((list) =>
    list.some((one) => one.policy.effect === "deny" && one.arguments.length === 0 && search.matches(one)),
  );
  return !isDenied || collectGrants(search.all(), index.groups.all.length).granted.some((word) => word !== 0);
}

function intersect(left: Bits, right: Bits): Bits {
  const both = new Uint32Array(left.length);
  // Faster than `map` on the few words that groups have.
  for (let at = 0; at < both.length; at += 1) both[at] = (left[at] ?? 0) & (right[at] ?? 0);
  return both;
}

function everything(size: number): Bits {
  return emptyBits(size).fill(0xffffffff);
}

function toGroupBits({ tools, groups }: Index, names: readonly string[]): Bits {
  const bits = emptyBits(groups.all.length);
  for (const name of names) {
    const number = groups.numberOf.get(name);
    if (number !== undefined) setBit(bits, number);
  }
  // A request for one of a tool's groups is a request for the tool, so it covers the tool's access grants.
  for (const [tool, group] of groups.access) {
    const groupSet = groups.groupSets[groups.groupSetOf[tools.numberOf.get(tool) ?? -1] ?? -1];
    if (groupSet?.members.some((member) => hasBit(bits, member)) === true) setBit(bits, group);
  }
  return bits;
}

interface Grants extends Pick<Plan, "allowed" | "granted" | "denied" | "conditions"> {
  /** The groups of matching request policies, without the denied ones. */
  readonly offered: Bits | null;
}

/**
 * Collects the groups of the matching policies by effect. A deny always takes precedence. A deny with argument conditions
 * removes no group: it refuses calls (`conditions`).
 */
function collectGrants(matched: readonly CompiledPolicy[], size: number): Grants {
  const allowed = emptyBits(size);
  let denied: Bits | null = null;
  let offered: Bits | null = null;
  for (const compiled of matched) {
    const { effect } = compiled.policy;
    if (effect === "deny" && compiled.arguments.length > 0) continue;
    const bits =
      effect === "allow" ? allowed : effect === "deny" ? (denied ??= emptyBits(size)) : (offered ??= emptyBits(size));
    for (const group of compiled.groups) setBit(bits, group);
  }
  return {
    allowed,
    granted: withoutDenied(allowed, denied),
    denied,
    offered: offered === null ? null : withoutDenied(offered, denied),
    conditions: matched.some((compiled) => compiled.arguments.length > 0) ? collectConditions(matched, size) : null,
  };
}

function withoutDenied(bits: Bits, denied: Bits | null): Bits {
  return denied === null ? bits : bits.map((word, at) => word & ~(denied[at] ?? 0));
}

function collectConditions(matched: readonly CompiledPolicy[], size: number): Conditions {
  const conditions = { unconditional: emptyBits(size), denied: emptyBits(size) };
  for (const compiled of matched) {
    if (compiled.policy.effect === "request") continue;
    const conditional = compiled.arguments.length > 0;
    if (conditional === (compiled.policy.effect === "allow")) continue;
    for (const group of compiled.groups) setBit(conditional ? conditions.denied : conditions.unconditional, group);
  }
  return conditions;
}

/** A rule that asks for approval hides nothing: the pipeline holds its calls. */
function flowGates({ flows }: Index, { labels }: ResolveRequest): readonly Gate[] {
  return rulesHeld(flows, labels).flatMap(({ rule, passing }) =>
    rule.effect === "hide" ? { reason: "flow_restricted" as const, name: rule.name, passing } : [],
  );
}

/** Every profile must allow the tool. A denial is reported before drift (docs/reference/decision.md#profile). */
function profileGates(index: Index, profiles: readonly string[]): readonly Gate[] {
  if (profiles.length === 1 && index.profiles(profiles[0] ?? "").open) return [];
  const compiled = profiles
    .map((name) => ({ name, profile: index.profiles(name) }))
    .filter(({ profile }) => !profile.open);
  return [
    ...compiled.map(({ name, profile }) => ({ name, reason: "profile_denied" as const, passing: profile.allowed })),
    ...compiled.map(({ name, profile }) => ({ name, reason: "profile_drift" as const, passing: profile.reviewed })),
  ];
}

/** Judges each distinct set of requirements once per decision, and only when a tool has it. */
function capabilityTest(index: Index, granted: readonly string[]): (need: number) => boolean {
  let verdicts: Map<number, boolean> | null = null;
  let covers: ((required: string) => boolean) | null = null;
  return (need) => {
    if (need === 0) return true;
    verdicts ??= new Map();
    const known = verdicts.get(need);
    if (known !== undefined) return known;
    covers ??= compileGrants(granted);
    const verdict = (index.tools.needs[need] ?? []).every(covers);
    verdicts.set(need, verdict);
    return verdict;
  };
}

/** Whether the request covers a group; only `"*"` covers `(ungrouped)`. */
export function isGroupRequested({ requested }: Plan, group: number): boolean {
  return requested === null || hasBit(requested, group);
}
