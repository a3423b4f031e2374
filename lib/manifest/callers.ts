import { explain, trace } from "@/lib/access/explain/explain";
import type { Index } from "@/lib/access/compile/compile";
import type { Explanation, GroupTrace, PolicyTrace, Resolution, ResolveRequest } from "@/lib/access/decide/resolution";
import { check } from "@/lib/access/decide/resolve";
import { inCode } from "@/lib/access/model/lists";
import type { ManifestSource } from "@/lib/manifest/entries";
import type { CallersInput, CallerVisibility } from "@/lib/contracts/decisions/callers";

/** How a tool, a group or a policy applies to one caller, without the caller's identity. */
export type Visibility = Omit<CallerVisibility, "kind" | "name" | "issuer" | "callId">;

/**
 * Computed from one decision of the resolver and its trace; `null` when there is no such tool, group or policy.
 * @param resolve computes the caller's whole list; not needed for a tool
 */
export function visibilityOf(
  { kind, name }: CallersInput,
  { index, request, now }: Omit<ManifestSource, "resolution">,
  resolve: () => Resolution,
): Visibility | null {
  if (kind === "tool") {
    const explanation = explain(index, request, name, now);
    if (explanation === null) return null;
    const checked = check(index, request, name, now);
    const isSeenElsewhere = explanation.reason === "state_mismatch" && isSeenInSomeState(index, request, name, now);
    const conditional = checked.verdict === "visible" && checked.tool.conditional;
    return ofTool(
      explanation,
      isSeenElsewhere ? "other_state" : !explanation.visible ? "no" : conditional ? "partly" : "yes",
    );
  }
  const { groups, policies } = trace(index, request, now);
  if (kind === "group") {
    const group = groups.find((one) => one.name === name);
    return group === undefined ? null : ofGroup(group, resolve());
  }
  const policy = policies.find((one) => one.name === name);
  return policy === undefined ? null : ofPolicy(policy, resolve());
}

const NO_TOOL = { reason: null, fix: null } as const;

function isSeenInSomeState(index: Index, request: ResolveRequest, tool: string, now: number): boolean {
  const states = index.machines.get(request.machine)?.machine?.states ?? [];
  return states.some(({ name: state }) => check(index, { ...request, state }, tool, now).verdict === "visible");
}

function ofTool({ visible, reason, fix, via, steps }: Explanation, standing: Visibility["standing"]): Visibility {
  const through = via.map(({ group, policies }) => `${inCode(policies)} → \`${group}\``).join("; ");
  return {
    standing,
    why: visible
      ? `Granted through ${through}${standing === "partly" ? ", for some arguments only" : ""}.`
      : (steps.find(({ passed }) => !passed)?.detail ?? ""),
    visible: visible ? 1 : 0,
    reason,
    fix,
    via,
  };
}

function ofGroup(
  { name, granted, grantedBy, deniedBy, active, members }: GroupTrace,
  { tools }: Resolution,
): Visibility {
  const visible = tools.filter(({ groups }) => groups.includes(name)).length;
  const why =
    deniedBy.length > 0
      ? `Denied by ${inCode(deniedBy)}.`
      : grantedBy.length === 0
        ? "No matching policy grants it."
        : `Granted by ${inCode(grantedBy)}${active ? "" : ", but it is inactive"}.`;
  const standing = !granted || visible === 0 ? "no" : visible < members ? "partly" : "yes";
  return { standing, why, visible, ...NO_TOOL, via: [] };
}

function ofPolicy(policy: PolicyTrace, { tools }: Resolution): Visibility {
  const through = new Set(policy.groups);
  const visible = tools.filter(({ groups }) => groups.some((group) => through.has("*") || through.has(group))).length;
  return {
    standing: policy.matched ? "yes" : "no",
    why: whyMatched(policy),
    visible: policy.matched && policy.effect === "allow" ? visible : 0,
    ...NO_TOOL,
    via: [],
  };
}

function whyMatched({ skipped, matched, matchers }: PolicyTrace): string {
  if (skipped !== null) return `The policy is ${skipped.replaceAll("_", " ")}.`;
  if (matched && matchers.length === 0) return "The policy applies to everyone.";
  const failing = matchers.find(({ held, outcome }) => (matched ? outcome !== "match" : !held));
  if (failing === undefined) return matched ? "All matchers match." : "The policy does not match.";
  // Never shows what a caller of the log carries, only what it would need.
  const { claim, operator, expected, outcome } = failing;
  const wanted = expected === null ? "" : ` \`${JSON.stringify(expected)}\``;
  const doubt = `is ${outcome}, which counts as a match in a deny`;
  return `\`${claim}\` ${operator.replaceAll("_", " ")}${wanted} ${matched ? doubt : `does not hold: ${outcome.replaceAll("_", " ")}`}.`;
}
