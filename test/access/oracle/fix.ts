import {
  ALL,
  DEFAULT_GROUP,
  UNGROUPED,
  type Configuration,
  type Policy,
  type Tool,
} from "@/lib/access/model/configuration";
import { groupsThatShow } from "@/test/access/oracle/arguments";
import { missingCapabilities } from "@/test/access/oracle/capabilities";
import { isBrokenGroup, isMember } from "@/test/access/oracle/groups";
import { hidingRules } from "@/test/access/oracle/flows";
import { isAvailable } from "@/test/access/oracle/machines";
import { bears, isAccessGroup, matcherTraces, skippedBecause, speaksOf } from "@/test/access/oracle/policies";
import { profileVerdict } from "@/test/access/oracle/profiles";
import { asksFor, counts, enabledReasons, isInTier, pausesOn, type Caller } from "@/test/access/oracle/steps";

/** A group, or a new group (`null`), that would show the tool, with what it costs. */
interface Way {
  readonly group: string | null;
  readonly price: number;
  /** Whether a change of the fix names the group, instead of the policy alone. */
  readonly isNamed: boolean;
  /** 1 for groups that do not have the tool: they lose a tie. */
  readonly rank: number;
}

/**
 * The number of changes of a hidden tool's smallest fix, and the group that they name: prices every way, and returns
 * the cheapest (docs/reference/decision.md#fix).
 */
export function fixOf(caller: Caller, tool: Tool): { readonly size: number; readonly group: string | null } {
  // A group shows the tool already, such as that of an access grant: only other steps hide it.
  if (groupsThatShow(caller, tool).length > 0) return { size: priceOutsidePairs(caller, tool), group: null };
  const ways = waysTo(caller, tool);
  const least = Math.min(...ways.map(({ price }) => price));
  const size = least + priceOutsidePairs(caller, tool);
  const [best] = ways.filter(({ price }) => price === least).toSorted(byTie(caller));
  return { size, group: best?.isNamed === true ? best.group : null };
}

/** Groups that have the tool first, then by the tools that they bring along: those with side effects, all, name. */
function byTie({ configuration }: Caller): (left: Way, right: Way) => number {
  const brought = ({ group }: Way) => configuration.tools.filter((tool) => isMember(configuration, group ?? "", tool));
  const sideEffects = (way: Way) => brought(way).filter(({ hasSideEffects }) => hasSideEffects).length;
  return (left, right) =>
    left.rank - right.rank ||
    sideEffects(left) - sideEffects(right) ||
    brought(left).length - brought(right).length ||
    ((left.group ?? "") < (right.group ?? "") ? -1 : 1);
}

function waysTo(caller: Caller, tool: Tool): readonly Way[] {
  const { configuration } = caller;
  const allows = configuration.policies.filter(({ effect }) => effect !== "deny");
  const isNamed = (group: string) => costsOf(caller, group, tool).some(Boolean);
  const pairsOver = (groups: readonly string[], rank: number): readonly Way[] =>
    groups.flatMap((group) =>
      allows
        .filter((policy) => speaksOf(policy, group))
        .map((policy) => ({
          group,
          price: policyPrice(caller, policy) + groupPrice(caller, group, tool),
          isNamed: isNamed(group),
          rank,
        })),
    );
  const having = caller.groupNames.filter((group) => !isAccessGroup(group) && isMember(configuration, group, tool));
  const direct = pairsOver(having, 0);
  if (direct.length > 0) return direct;
  const others = caller.groupNames.filter(
    (group) =>
      group !== UNGROUPED &&
      group !== DEFAULT_GROUP &&
      !isAccessGroup(group) &&
      !having.includes(group) &&
      !isUnreadable(caller, group) &&
      takesIn(configuration, group, tool),
  );
  const named = having.filter((group) => group !== UNGROUPED);
  const grants = named.map((group) => ({
    group,
    price: 1 + groupPrice(caller, group, tool),
    isNamed: true,
    rank: 0,
  }));
  const created = { group: null, price: newGroupPrice(caller, having), isNamed: false, rank: 0 };
  return [...(named.length === 0 ? [created] : grants), ...pairsOver(others, 1)];
}

/** Matchers that do not hold, what keeps the policy from applying, and a person's answer to a request. */
function policyPrice(caller: Caller, policy: Policy): number {
  const unheld = matcherTraces(policy, caller.request, caller.now).filter(({ held }) => !held).length;
  const unwritten = policy.matchers.length === 0 && !policy.everyone ? 1 : 0;
  const wish = policy.effect === "request" ? 1 : 0;
  const unused = (policy.active ? 0 : 1) + (policy.mode === "observe" ? 1 : 0);
  const inForce = { ...policy, active: true, mode: "enforce" as const };
  return unheld + unwritten + wish + unused + (skippedBecause(inForce, caller.now) === null ? 0 : 1);
}

/** Denies of the group or of a group with the tool, and one each for: inactive, not a member, not requested. */
function groupPrice(caller: Caller, group: string, tool: Tool): number {
  const { configuration } = caller;
  const having = caller.groupNames.filter((name) => isMember(configuration, name, tool));
  const denies = caller.denies.filter((policy) =>
    [group, ...having].some((name) => bears(configuration, policy, name)),
  );
  return denies.length + costsOf(caller, group, tool).filter(Boolean).length;
}

/** Whether the group is inactive, does not have the tool, is not requested. */
function costsOf(caller: Caller, group: string, tool: Tool): readonly boolean[] {
  return [!counts(caller, group), !isMember(caller.configuration, group, tool), !asksFor(caller, group)];
}

const NEW_GROUP = "a name that no policy states";

/**
 * A new group with the tool, its grant, each deny of a group with the tool or of any group at all, and one more when the
 * request names groups.
 */
function newGroupPrice(caller: Caller, having: readonly string[]): number {
  const groups = [...having, NEW_GROUP];
  const denies = caller.denies.filter((policy) => groups.some((group) => bears(caller.configuration, policy, group)));
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

/** A fix includes a tool with side effects only in a group that has another one. */
export function takesIn(configuration: Configuration, group: string, { hasSideEffects }: Tool): boolean {
  return (
    !hasSideEffects ||
    configuration.tools.some((other) => other.hasSideEffects && isMember(configuration, group, other))
  );
}

/** A group whose pattern does not compile has no members, whatever is added to it. */
function isUnreadable({ configuration }: Caller, name: string): boolean {
  return configuration.groups.some((group) => group.name === name && isBrokenGroup(group));
}
