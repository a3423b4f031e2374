import type { JsonObject, Policy, Tool } from "@/lib/access/model/configuration";
import { isMember } from "@/test/access/oracle/groups";
import { isHeld, outcomeOf } from "@/test/access/oracle/operators";
import { bears, isUnreadable, speaksOf } from "@/test/access/oracle/policies";
import { asksFor, grantedGroupsOf, type Caller } from "@/test/access/oracle/steps";

/** Matching denies with arguments for one of the tool's groups, in order. */
function conditionalDenies({ configuration, groupNames, matched }: Caller, tool: Tool): readonly Policy[] {
  const groups = groupNames.filter((group) => isMember(configuration, group, tool));
  return matched.filter(
    (policy) =>
      policy.effect === "deny" &&
      policy.arguments.length > 0 &&
      groups.some((group) => bears(configuration, policy, group)),
  );
}

/** Granted, active, requested groups that have the tool. */
export function groupsThatShow(caller: Caller, tool: Tool): readonly string[] {
  return grantedGroupsOf(caller, tool).filter((group) => asksFor(caller, group));
}

/** Matching allows that grant the tool, in order. */
export function allowsOf(caller: Caller, tool: Tool): readonly Policy[] {
  const groups = groupsThatShow(caller, tool);
  return caller.matched.filter(
    (policy) => policy.effect === "allow" && groups.some((group) => speaksOf(policy, group)),
  );
}

/** Whether a visible tool's call may still be refused for its arguments. */
export function isConditional(caller: Caller, tool: Tool): boolean {
  return (
    conditionalDenies(caller, tool).length > 0 || allowsOf(caller, tool).every((policy) => policy.arguments.length > 0)
  );
}

/** Argument conditions of a visible tool (docs/reference/decision.md): the refusing deny, `"no allow"`, or `null` when allowed. */
export function refusalOf(caller: Caller, tool: Tool, args: JsonObject): { readonly policy: Policy | null } | null {
  const hold = (policy: Policy) =>
    policy.arguments.every((matcher) => isHeld(policy.effect, matcher.operator, outcomeOf(matcher, args, caller.now)));
  const deny = conditionalDenies(caller, tool).find(
    (policy) => isUnreadable(caller.configuration, policy) || hold(policy),
  );
  if (deny !== undefined) return { policy: deny };
  const allows = allowsOf(caller, tool);
  return allows.every((policy) => policy.arguments.length > 0 && !hold(policy)) ? { policy: null } : null;
}
