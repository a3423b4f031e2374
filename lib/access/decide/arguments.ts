import type { Index } from "@/lib/access/compile/compile";
import { canonicalText } from "@/lib/access/model/canonical";
import type { Json, JsonObject, Policy } from "@/lib/access/model/configuration";
import { makePlan, makePlanFor, type Plan } from "@/lib/access/decide/plan";
import { argumentsHold, type CompiledPolicy } from "@/lib/access/compile/policies";
import type { ArgumentVerdict, ResolveRequest } from "@/lib/access/decide/resolution";
import { groupsThrough, judgeGroupSet } from "@/lib/access/compile/group-sets";
import { firstFailure } from "@/lib/access/explain/steps";

/** The answer when the refusing policy has no description. */
const NO_REASON = "The arguments of this call are not allowed.";

/** The policies that decide on the arguments of calls of one visible tool. */
interface ToolPolicies {
  /** Matching denies with conditions that name one of the tool's groups, granted or not. */
  readonly denies: readonly CompiledPolicy[];
  /** Matching allows that grant the tool. */
  readonly allows: readonly CompiledPolicy[];
}

/**
 * Whether a call of a visible tool may have these arguments (docs/reference/decision.md#argument-conditions). Refused
 * when a deny's conditions hold, or when all granting allows have conditions and none holds.
 * A hidden tool is refused for any arguments.
 */
export function checkArguments(
  index: Index,
  request: ResolveRequest,
  toolId: string,
  args: JsonObject,
  now: number,
): ArgumentVerdict {
  const policies = policiesOnTool(index, request, toolId, now);
  if (policies === null) return { allowed: false, policy: null, reason: NO_REASON };
  const { denies, allows } = policies;
  const deny = denies.find((policy) => argumentsHold(policy, args, now));
  if (deny !== undefined) return { allowed: false, policy: deny.policy.name, reason: reasonOf(deny) };
  if (allows.some((policy) => policy.arguments.length === 0 || argumentsHold(policy, args, now)))
    return { allowed: true };
  return { allowed: false, policy: null, reason: reasonOf(allows[0]) };
}

/**
 * The argument conditions of a visible tool for its manifest entry, as the policies describe them; empty when all
 * arguments are allowed.
 */
export function conditionsOf(index: Index, request: ResolveRequest, toolId: string, now: number): readonly string[] {
  return [...new Set(bindingPolicies(index, request, toolId, now).map(reasonOf))];
}

/** The policies whose conditions decide on the arguments of a visible tool, each as it describes them. */
export function conditionalPolicies(
  index: Index,
  request: ResolveRequest,
  toolId: string,
  now: number,
): readonly { readonly policy: string; readonly text: string }[] {
  return bindingPolicies(index, request, toolId, now).map((one) => ({ policy: one.policy.name, text: reasonOf(one) }));
}

/** The policies whose conditions can refuse arguments; none when all arguments are allowed. */
function bindingPolicies(
  index: Index,
  request: ResolveRequest,
  toolId: string,
  now: number,
): readonly CompiledPolicy[] {
  const policies = policiesOnTool(index, request, toolId, now);
  return policies === null ? [] : bindingOf(policies);
}

function bindingOf({ denies, allows }: ToolPolicies): readonly CompiledPolicy[] {
  return allows.every((policy) => policy.arguments.length > 0) ? [...denies, ...allows] : denies;
}

/**
 * The argument conditions of one caller's visible tools, as canonical texts by tool number, for comparing two indexes.
 * Equal texts allow equal arguments; the empty text allows all.
 */
export function bindingConditions(index: Index, request: ResolveRequest, now: number): (tool: number) => string {
  const plan = makePlan(index, request, now);
  if (plan.conditions === null) return () => "";
  const texts = new Map<number, string>();
  return (tool) => {
    const groupSet = index.groups.groupSetOf[tool] ?? 0;
    const known = texts.get(groupSet);
    if (known !== undefined) return known;
    const binding = judgeGroupSet(plan, groupSet).conditional ? bindingOf(policiesInPlan(plan, tool)) : [];
    const text = [...new Set(binding.map(ruleText))].toSorted().join("\n");
    texts.set(groupSet, text);
    return text;
  };
}

/** Caches the canonical texts, because impact compares the same rules for every caller. */
const ruleTexts = new WeakMap<CompiledPolicy, string>();

function ruleText(policy: CompiledPolicy): string {
  const known = ruleTexts.get(policy);
  if (known !== undefined) return known;
  const text = canonicalText(toRule(policy) as unknown as Json);
  ruleTexts.set(policy, text);
  return text;
}

/**
 * The rules that decide on the arguments of a tool's calls. Equal rules give equal verdicts. Empty for a hidden tool.
 */
export function rulesOnArguments(
  index: Index,
  request: ResolveRequest,
  toolId: string,
  now: number,
): readonly Pick<Policy, "effect" | "arguments">[] {
  const policies = policiesOnTool(index, request, toolId, now);
  if (policies === null) return [];
  const { denies, allows } = policies;
  return [...denies, ...allows].map(toRule);
}

function toRule({ policy, unreadable }: CompiledPolicy): Pick<Policy, "effect" | "arguments"> {
  // A deny of a group in error refuses every call, like a deny without conditions.
  return { effect: policy.effect, arguments: unreadable ? [] : policy.arguments };
}

/** The policies on a tool's arguments; `null` for a hidden tool. */
function policiesOnTool(index: Index, request: ResolveRequest, toolId: string, now: number): ToolPolicies | null {
  const number = index.tools.numberOf.get(toolId);
  if (number === undefined) return null;
  const plan = makePlanFor(index, request, now, [number]);
  return firstFailure(plan, number) === null ? policiesInPlan(plan, number) : null;
}

function policiesInPlan(plan: Plan, number: number): ToolPolicies {
  const groupSet = plan.index.groups.groupSetOf[number] ?? 0;
  const through = groupsThrough(plan, groupSet);
  const members = plan.index.groups.groupSets[groupSet]?.members ?? [];
  const namesAny = (policy: CompiledPolicy, groups: readonly number[]): boolean =>
    policy.groups.some((group) => groups.includes(group));
  return {
    denies: plan.matched.filter(
      (one) => one.policy.effect === "deny" && one.arguments.length > 0 && namesAny(one, members),
    ),
    allows: plan.matched.filter((one) => one.policy.effect === "allow" && namesAny(one, through)),
  };
}

function reasonOf(policy: CompiledPolicy | undefined): string {
  const description = policy?.policy.description.trim() ?? "";
  return description === "" ? NO_REASON : description;
}
