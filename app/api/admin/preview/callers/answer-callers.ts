import { AppError } from "@/lib/errors";
import { visibilityOf, type Visibility } from "@/lib/manifest/callers";
import type { CallersInput, CallersOutput, CallerVisibility } from "@/lib/contracts/decisions/callers";
import { loadCallers, type KnownCaller } from "@/lib/admin/callers";
import { inTurns } from "@/lib/store/db/in-turns";
import { currentSnapshot, resolver, type Snapshot } from "@/lib/store/snapshot/snapshot";

/**
 * How a tool, a group or a policy applies to each known caller, by one decision of the shared resolver per caller.
 *
 * @param now epoch milliseconds of every decision
 */
export async function answerCallers(about: CallersInput, now: number): Promise<CallersOutput> {
  const snapshot = await currentSnapshot();
  const tools = toolsOf(about, snapshot);
  if (tools === null) throw new AppError("not_found", `There is no ${about.kind} \`${about.name}\`.`);
  const { callers, more } = await loadCallers(snapshot);
  const groupSets: CallerVisibility[] = [];
  for await (const caller of inTurns(callers)) groupSets.push(standing(about, caller, snapshot, now));
  return { revision: snapshot.revision, tools, callers: groupSets, more };
}

function standing(about: CallersInput, caller: KnownCaller, { index }: Snapshot, now: number): CallerVisibility {
  const { answer, ...who } = caller;
  if (!answer.ok) return { ...who, ...NOT_SERVED, why: `Not served: ${answer.message}.` };
  const { request } = answer;
  const resolve = () => resolver().resolve(index, request, now);
  return { ...who, ...(visibilityOf(about, { index, request, now }, resolve) ?? NOT_SERVED) };
}

const NOT_SERVED: Visibility = { standing: "refused", why: "", visible: 0, reason: null, fix: null, via: [] };

/** The number of tools of the subject; `null` when the subject does not exist. */
function toolsOf({ kind, name }: CallersInput, { index }: Snapshot): number | null {
  if (kind === "tool") return index.tools.numberOf.has(name) ? 1 : null;
  if (kind === "group") return index.groups.numberOf.has(name) ? membersOf([name], index) : null;
  const policy = index.config.policies.find((one) => one.name === name);
  if (policy === undefined) return null;
  return policy.groups.includes("*") ? index.config.tools.length : membersOf(policy.groups, index);
}

/** How many tools are in any of these groups. */
function membersOf(names: readonly string[], { groups }: Snapshot["index"]): number {
  const numbers = new Set(names.map((name) => groups.numberOf.get(name)));
  return groups.groupSetOf.reduce((sum, at) => {
    const members = groups.groupSets[at]?.members ?? [];
    return sum + (members.some((number) => numbers.has(number)) ? 1 : 0);
  }, 0);
}
