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
  /** The number of this decision, which guards scratch space. */
  readonly decision: number;
  /** Matching policies in evaluation order. */
  readonly matched: readonly CompiledPolicy[];
  /**
   * Group numbers: granted before denials, granted after denials, active, requested, and the intersection of the last
   * three.
   */
  readonly raw: Bits;
  readonly granted: Bits;
  /**
   * Groups (by number) that matching denies name, active or not: their members are withheld. `null` when there are
   * none.
   */
  readonly denied: Bits | null;
  /**
   * Groups that matching request policies name, active, requested and not denied. `null` when no request policy matches.
   */
  readonly requestable: Bits | null;
  readonly live: Bits;
  /** The requested groups; `null` = every group. */
  readonly requested: Bits | null;
  readonly passing: Bits;
  /** Whether the caller is granted any group after denials. */
  readonly grantsAny: () => boolean;
  /** True when a pause stops every tool. */
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
 * @param grantsAny whether any policy grants a group, when `matched` leaves policies out; a deny that it leaves out may take
 * away what an allow in it grants
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
  const { raw, granted, denied, wished, conditions } = grant(matched, size);
  const live = request.includeDisabled ? everything(size) : groups.active;
  const requested = request.group === null || request.group.includes(ALL) ? null : toGroupBits(index, request.group);
  const reached = requested === null ? live : intersect(live, requested);
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
    raw,
    granted,
    denied,
    requestable: wished === null ? null : intersect(wished, reached),
    live,
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

/** The plan in any state: it decides about the tools of every state that a call may lead to. */
export function inAnyState(plan: Plan): Plan {
  return { ...plan, gates: { ...plan.gates, state: [] } };
}

/** With more policies than this to test one by one, a search by claims is faster. */
const MAX_TESTED_POLICIES = 200;

/**
 * Plans a decision about a few tools (by number). Tests only the policies that name a group of these tools, so a check
 * does not depend on everything that its caller matches. Says nothing about other tools.
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

/** Whether the caller is granted any group. Usually one policy answers: a matching allow whose group no deny names. */
function isAnyGranted(index: Index, search: PolicySearch): boolean {
  const group = search.any(({ policy, groups }) => policy.effect === "allow" && groups.length > 0)?.groups[0];
  if (group === undefined) return false;
  const { policiesNaming } = index;
  const isDenied = [policiesNaming.everyGroup, policiesNaming.group[group] ?? []].some((list) =>
    list.some((one) => one.policy.effect === "deny" && one.arguments.length === 0 && search.matches(one)),
  );
  return !isDenied || grant(search.all(), index.groups.all.length).granted.some((word) => word !== 0);
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

/** `wished`: the groups of matching request policies, without the denied ones. */
interface Grants extends Pick<Plan, "raw" | "granted" | "denied" | "conditions"> {
  readonly wished: Bits | null;
}

/**
 * Groups of matching allows, of matching requests, and of matching denies without arguments. Denied groups grant
 * nothing: a deny always takes precedence.
 */
function grant(matched: readonly CompiledPolicy[], size: number): Grants {
  const raw = emptyBits(size);
  let denied: Bits | null = null;
  let wished: Bits | null = null;
  for (const compiled of matched) {
    const { effect } = compiled.policy;
    if (effect === "deny" && compiled.arguments.length > 0) continue;
    const bits =
      effect === "allow" ? raw : effect === "deny" ? (denied ??= emptyBits(size)) : (wished ??= emptyBits(size));
    for (const group of compiled.groups) setBit(bits, group);
  }
  return {
    raw,
    granted: withoutDenied(raw, denied),
    denied,
    wished: wished === null ? null : withoutDenied(wished, denied),
    conditions: matched.some((compiled) => compiled.arguments.length > 0) ? conditionsOf(matched, size) : null,
  };
}

function withoutDenied(bits: Bits, denied: Bits | null): Bits {
  return denied === null ? bits : bits.map((word, at) => word & ~(denied[at] ?? 0));
}

function conditionsOf(matched: readonly CompiledPolicy[], size: number): Conditions {
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
