import { hasBit } from "@/lib/access/model/bitset";
import type { GroupSet } from "@/lib/access/compile/groups";
import type { GroupSetVerdict } from "@/lib/access/model/memory";
import { isGroupRequested, type Plan } from "@/lib/access/decide/plan";

/** A tool in more groups than this has no bit mask of the groups that let it through. */
const MAX_MASKED_GROUPS = 26;

/** The verdict on a group set, computed once per decision; the next decision writes over it. */
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
  let having = false;
  let requested = false;
  let grantedInactive = false;
  let grantedButDenied = false;
  let takenAway = false;
  let through = 0;
  for (let place = 0; place < members.length; place += 1) {
    const group = members[place] ?? 0;
    const live = hasBit(plan.live, group);
    if (isDenied && live && hasBit(plan.raw, group)) takenAway = true;
    if (!hasBit(plan.granted, group)) continue;
    if (!live) grantedInactive = true;
    else if (isDenied) grantedButDenied = true;
    else having = true;
    if (!hasBit(plan.passing, group)) continue;
    requested = true;
    through |= 1 << place;
  }
  if (having) {
    verdict.policy = null;
    verdict.group = null;
    verdict.request = requested ? null : "group_not_requested";
    verdict.through = members.length > MAX_MASKED_GROUPS ? -1 : through;
    verdict.conditional = isConditional(plan, members);
    verdict.requestable = !requested && isRequestable(plan, members);
    return;
  }
  const isRequested = plan.requested === null || members.some((group) => isGroupRequested(plan, group));
  verdict.policy = takenAway ? "denied_by_policy" : plan.grantsAny() ? null : "no_policy_grant";
  verdict.group = grantedInactive
    ? "group_inactive"
    : !grantedButDenied && excluded.some((group) => hasBit(plan.granted, group))
      ? "excluded_from_group"
      : "not_in_granted_group";
  verdict.request = isRequested ? null : "group_not_requested";
  verdict.through = 0;
  verdict.conditional = false;
  verdict.requestable = !isDenied && isRequestable(plan, members);
}

/** An active, requested group that has the tools is named by a matching request policy, and no deny names it. */
function isRequestable(plan: Plan, members: readonly number[]): boolean {
  const { requestable } = plan;
  return requestable !== null && members.some((group) => hasBit(requestable, group));
}

/** A deny with conditions names one of the tool's groups, or every allow that grants the tool has conditions. */
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
