import { hasBit } from "@/lib/access/model/bitset";
import { missingCapabilities, requiredOf } from "@/lib/access/model/capabilities";
import type { Index } from "@/lib/access/compile/compile";
import type { JsonObject } from "@/lib/access/model/configuration";
import { atOnce, type Parts } from "@/lib/access/model/parts";
import { toolAt } from "@/lib/access/decide/entries";
import { smallestFix } from "@/lib/access/explain/fix";
import type { CompiledGroup } from "@/lib/access/compile/groups";
import { funnelOf } from "@/lib/access/explain/hidden";
import { shownClaim } from "@/lib/access/matching/matcher-text";
import { isHeld, type CompiledMatcher } from "@/lib/access/matching/compiled-matcher";
import { isGroupRequested, makePlan, type Plan } from "@/lib/access/decide/plan";
import { skippedAt, type CompiledPolicy } from "@/lib/access/compile/policies";
import {
  STEPS,
  type Explanation,
  type GroupTrace,
  type MatcherTrace,
  type PolicyTrace,
  type ResolveRequest,
  type Trace,
  type Via,
} from "@/lib/access/decide/resolution";
import { unknownGroups, visibleEntry } from "@/lib/access/decide/resolve";
import { groupsThrough } from "@/lib/access/compile/group-sets";
import { describeStep } from "@/lib/access/explain/step-text";
import { firstFailure, judgeStep } from "@/lib/access/explain/steps";

/**
 * The full explanation of one tool (by id) for one caller; `null` when no tool has that id. Uses the same plan and the
 * same step verdicts as the list (docs/reference/decision.md#explanation).
 */
export function explain(index: Index, request: ResolveRequest, toolId: string, now: number): Explanation | null {
  const number = index.tools.numberOf.get(toolId);
  if (number === undefined) return null;
  const plan = makePlan(index, request, now);
  const steps = STEPS.map((step) => {
    const reason = judgeStep(plan, step, number);
    return { step, passed: reason === null, reason, ...describeStep(plan, step, number, reason) };
  });
  const decided = steps.find(({ passed }) => !passed) ?? null;
  const tool = toolAt(index, number);
  const via = decided === null ? viaOf(plan, number, grantedByIn(plan)) : [];
  return {
    tool,
    visible: decided === null,
    callable: decided === null && visibleEntry(plan, number).callable,
    decidedBy: decided?.step ?? null,
    reason: decided?.reason ?? null,
    steps,
    via,
    capabilities: {
      required: requiredOf(tool.requiredCapabilities),
      granted: request.capabilities,
      missing: missingCapabilities(tool.requiredCapabilities, request.capabilities),
    },
    fix: decided === null ? null : smallestFix(plan, number),
    grantsToRemove: via.flatMap(({ group, policies }) => policies.map((policy) => ({ policy, group }))),
  };
}

/**
 * Returns the groups and policies through which each tool (by id) is visible, as its explanation says; empty for a
 * hidden tool. Plans the decision once for many tools of one caller.
 */
export function viaByTool(index: Index, request: ResolveRequest, now: number): (toolId: string) => readonly Via[] {
  const plan = makePlan(index, request, now);
  const grantedBy = grantedByIn(plan);
  return (toolId) => {
    const number = index.tools.numberOf.get(toolId);
    return number === undefined || firstFailure(plan, number) !== null ? [] : viaOf(plan, number, grantedBy);
  };
}

/** The groups that let a visible tool through, how it is in them, and the policies that grant them. */
function viaOf(plan: Plan, number: number, grantedBy: (group: number) => readonly string[]): readonly Via[] {
  const { groups } = plan.index;
  const tool = toolAt(plan.index, number);
  return groupsThrough(plan, groups.groupSetOf[number] ?? 0).flatMap((group) => {
    const compiled = groups.all[group];
    if (compiled === undefined) return [];
    return [{ group: compiled.name, how: compiled.how(tool), policies: grantedBy(group) }];
  });
}

/** Names of the policies that grant a group to one caller, collected once per group. */
function grantedByIn(plan: Plan): (group: number) => readonly string[] {
  const known = new Map<number, readonly string[]>();
  return (group) => {
    const names = known.get(group) ?? policyNames(plan, "allow", group);
    known.set(group, names);
    return names;
  };
}

/** Names of the matching policies that grant a group, or that deny it for any arguments. */
function policyNames({ matched }: Plan, effect: "allow" | "deny", group: number): readonly string[] {
  return matched
    .filter(
      (one) =>
        one.policy.effect === effect &&
        (effect === "allow" || one.arguments.length === 0) &&
        one.groups.includes(group),
    )
    .map(({ policy }) => policy.name);
}

const EVERY_POLICY = { limit: Number.POSITIVE_INFINITY, named: new Set<string>() };

/**
 * The whole trace of a resolution: every policy and matcher, every group, the funnel, and the configuration's errors.
 */
export function trace(index: Index, request: ResolveRequest, now: number): Trace {
  return atOnce(traceInParts(index, request, now));
}

/**
 * Traces in parts, because a draft may have thousands of policies and groups. Always traces the policies that match and those
 * that `named` has, and up to `limit` others.
 */
export function* traceInParts(
  index: Index,
  request: ResolveRequest,
  now: number,
  { limit, named }: { readonly limit: number; readonly named: ReadonlySet<string> } = EVERY_POLICY,
): Parts<Trace> {
  const plan = makePlan(index, request, now);
  const matched = new Set(plan.matched);
  const policies: PolicyTrace[] = [];
  let others = 0;
  for (const policy of index.policies) {
    yield;
    const matches = matched.has(policy);
    // There are as many access grants as callers asked for: a trace shows only those of its caller.
    if (policy.grant !== null && !matches) continue;
    if (matches || named.has(policy.policy.name) || (others += 1) <= limit)
      policies.push(tracePolicy(policy, matches, plan));
  }
  const groups: GroupTrace[] = [];
  for (const [number, group] of index.groups.all.entries()) {
    yield;
    groups.push(traceGroup(plan, group, number));
  }
  return {
    policies,
    morePolicies: Math.max(0, others - limit),
    groups,
    steps: funnelOf(plan),
    unknownGroups: unknownGroups(index, request),
    errors: index.errors,
  };
}

function tracePolicy(compiled: CompiledPolicy, matched: boolean, { request, now }: Plan): PolicyTrace {
  const { policy, matchers } = compiled;
  const skipped = skippedAt(compiled, now);
  return {
    name: policy.name,
    effect: policy.effect,
    priority: policy.priority,
    skipped,
    matched,
    matchers:
      skipped === null ? matchers.map((matcher) => traceMatcher(policy.effect, matcher, request.claims, now)) : [],
    groups: policy.groups,
    hasArguments: policy.arguments.length > 0,
  };
}

function traceMatcher(
  effect: PolicyTrace["effect"],
  compiled: CompiledMatcher,
  claims: JsonObject,
  now: number,
): MatcherTrace {
  const { claim, operator, value } = compiled.matcher;
  const outcome = compiled.test(claims, now);
  return {
    claim,
    operator,
    expected: value,
    actual: shownClaim(compiled, claims),
    outcome,
    held: isHeld(effect, operator, outcome),
  };
}

function traceGroup(plan: Plan, { name, active, members, error }: CompiledGroup, number: number): GroupTrace {
  return {
    name,
    granted: hasBit(plan.granted, number),
    deniedBy: policyNames(plan, "deny", number),
    grantedBy: policyNames(plan, "allow", number),
    active,
    requested: isGroupRequested(plan, number),
    members: members.count,
    error,
  };
}
