import { ALL, DEFAULT_GROUP, UNGROUPED, type Policy, type Tool } from "@/lib/access/model/configuration";
import { missingCapabilities } from "@/test/access/oracle/capabilities";
import { isBrokenGroup, isMember } from "@/test/access/oracle/groups";
import { hidingRules } from "@/test/access/oracle/flows";
import { isAvailable } from "@/test/access/oracle/machines";
import { bears, isAccessGroup, matcherTraces, skippedBecause, speaksOf } from "@/test/access/oracle/policies";
import { profileVerdict } from "@/test/access/oracle/profiles";
import { asksFor, counts, enabledReasons, isInTier, pausesOn, type Caller } from "@/test/access/oracle/steps";

/**
 * The number of changes of a hidden tool's smallest fix: prices every way, and returns the cheapest
 * (docs/reference/decision.md#fix).
 */
export function fixSizeOf(caller: Caller, tool: Tool): number {
  return Math.min(...pairPrices(caller, tool)) + priceOutsidePairs(caller, tool);
}

function pairPrices(caller: Caller, tool: Tool): readonly number[] {
  const { configuration } = caller;
  const allows = configuration.policies.filter(({ effect }) => effect !== "deny");
  const pairsOver = (groups: readonly string[]) =>
    groups.flatMap((group) =>
      allows
        .filter((policy) => speaksOf(policy, group))
        .map((policy) => policyPrice(caller, policy) + groupPrice(caller, group, tool)),
    );
  const having = caller.groupNames.filter((group) => !isAccessGroup(group) && isMember(configuration, group, tool));
  const direct = pairsOver(having);
  if (direct.length > 0) return direct;
  const others = caller.groupNames.filter(
    (group) =>
      group !== UNGROUPED &&
      group !== DEFAULT_GROUP &&
      !isAccessGroup(group) &&
      !having.includes(group) &&
      !isUnreadable(caller, group),
  );
  const named = having.filter((group) => group !== UNGROUPED);
  const grants = named.map((group) => 1 + groupPrice(caller, group, tool));
  return [...pairsOver(others), ...(named.length === 0 ? [newGroupPrice(caller, having)] : grants)];
}

/** Matchers that do not hold, one more for a policy that does not apply, and one for a person's answer to a request. */
function policyPrice(caller: Caller, policy: Policy): number {
  const unheld = matcherTraces(policy, caller.request, caller.now).filter(({ held }) => !held).length;
  const unwritten = policy.matchers.length === 0 && !policy.everyone ? 1 : 0;
  const wish = policy.effect === "request" ? 1 : 0;
  return unheld + unwritten + wish + (skippedBecause(policy, caller.now) === null ? 0 : 1);
}

/** Denies of the group or of a group with the tool, and one each for: inactive, not a member, not requested. */
function groupPrice(caller: Caller, group: string, tool: Tool): number {
  const { configuration } = caller;
  const having = caller.groupNames.filter((name) => isMember(configuration, name, tool));
  const denies = caller.denies.filter((policy) =>
    [group, ...having].some((name) => bears(configuration, policy, name)),
  );
  const costs = [!counts(caller, group), !isMember(caller.configuration, group, tool), !asksFor(caller, group)];
  return denies.length + costs.filter(Boolean).length;
}

/** A new group with the tool, its grant, each deny of a group with the tool, and one more when the request names groups. */
function newGroupPrice(caller: Caller, having: readonly string[]): number {
  const denies = caller.denies.filter((policy) => having.some((group) => bears(caller.configuration, policy, group)));
  return 2 + denies.length + (caller.requested.includes(ALL) ? 0 : 1);
}

function priceOutsidePairs(caller: Caller, tool: Tool): number {
  const { configuration, request } = caller;
  const disabled = request.includeDisabled
    ? 0
    : pausesOn(caller, tool).length + enabledReasons(configuration, tool).length;
  const state = isAvailable(configuration, caller.machine, caller.state, tool) ? 0 : 1;
  const flows = hidingRules(configuration, request.labels, tool).length;
  const profiles = caller.profiles.filter(
    (profile) => profileVerdict(configuration, profile, tool) !== "allowed",
  ).length;
  const capabilities = missingCapabilities(tool.requiredCapabilities, request.capabilities).length;
  const tier = isInTier(caller, tool) ? 0 : 1;
  return disabled + state + flows + profiles + capabilities + tier;
}

/** A group whose pattern does not compile has no members, whatever is added to it. */
function isUnreadable({ configuration }: Caller, name: string): boolean {
  return configuration.groups.some((group) => group.name === name && isBrokenGroup(group));
}
