import { hasBit } from "@/lib/access/model/bitset";
import type { GroupSet } from "@/lib/access/compile/groups";
import type { GroupSetVerdict } from "@/lib/access/model/memory";
import { isGroupRequested, type Plan } from "@/lib/access/decide/plan";

/** `through` has no room for more groups, and is −1 then. */
const MAX_MASKED_GROUPS = 26;

/** The verdict on a group set, computed once per decision. The next decision overwrites it. */
export function judgeGroupSet(plan: Plan, groupSet: number): GroupSetVerdict {
  const verdict = plan.index.memory.groupSets[groupSet];
  if (verdict === undefined) throw new RangeError(`no group set has number ${groupSet}`);
  if (verdict.decision === plan.decision) return verdict;
  verdict.decision = plan.decision;
  judge(plan, groupSetAt(plan, groupSet), verdict);
  return verdict;
}

/** Judges the policy, group and request steps (docs/reference/decision.md#explanation). */
function judge(plan: Plan, { members, excluded }: GroupSet, verdict: GroupSetVerdict): void {
  const { denied } = plan;
  const isDenied = denied !== null && members.some((group) => hasBit(denied, group));
  let hasGrant = false;
  let hasRequestedGrant = false;
  let hasInactiveGrant = false;
  let hasDeniedGrant = false;
  let lostGrantToDeny = false;
  let through = 0;
  for (let position = 0; position < members.length; position += 1) {
    const group = members[position] ?? 0;
    const isActive = hasBit(plan.active, group);
    if (isDenied && isActive && hasBit(plan.allowed, group)) lostGrantToDeny = true;
    if (!hasBit(plan.granted, group)) continue;
    if (!isActive) hasInactiveGrant = true;
    else if (isDenied) hasDeniedGrant = true;
    else hasGrant = true;
    if (!hasBit(plan.passing, group)) continue;
    hasRequestedGrant = true;
    through |= 1 << position;
  }
  if (hasGrant) {
    verdict.policy = null;
    verdict.group = null;
    verdict.request = hasRequestedGrant ? null : "group_not_requested";
    verdict.through = members.length > MAX_MASKED_GROUPS ? -1 : through;
    verdict.conditional = isConditional(plan, members);
    verdict.requestable = !hasRequestedGrant && isRequestable(plan, members);
    return;
  }
  const isRequested = plan.requested === null || members.some((group) => isGroupRequested(plan, group));
  verdict.policy = lostGrantToDeny ? "denied_by_policy" : plan.grantsAny() ? null : "no_policy_grant";
  verdict.group = hasInactiveGrant
    ? "group_inactive"
    : !hasDeniedGrant && excluded.some((group) => hasBit(plan.granted, group))
      ? "excluded_from_group"
      : "not_in_granted_group";
  verdict.request = isRequested ? null : "group_not_requested";
  verdict.through = 0;
  verdict.conditional = false;
  verdict.requestable = !isDenied && isRequestable(plan, members);
}

/** Whether a matching request policy names an active, requested group of the set that no deny names. */
function isRequestable(plan: Plan, members: readonly number[]): boolean {
  const { requestable } = plan;
  return requestable !== null && members.some((group) => hasBit(requestable, group));
}

/** Whether a deny with argument conditions names a group of the set, or every allow that grants one has such conditions. */
function isConditional({ conditions, passing }: Plan, members: readonly number[]): boolean {
  if (conditions === null) return false;
  if (members.some((group) => hasBit(conditions.denied, group))) return true;
  return !members.some((group) => hasBit(passing, group) && hasBit(conditions.unconditional, group));
}

/** The numbers, ascending, of the granted, active and requested groups that let a group set's tools through. */
export function groupsThrough(plan: Pick<Plan, "index" | "passing">, groupSet: number): readonly number[] {
  return groupSetAt(plan, groupSet).members.filter((group) => hasBit(plan.passing, group));
}

function groupSetAt({ index }: Pick<Plan, "index">, groupSet: number): GroupSet {
  return index.groups.groupSets[groupSet] ?? EMPTY_GROUP_SET;
}

const EMPTY_GROUP_SET: GroupSet = { members: [], excluded: [] };
