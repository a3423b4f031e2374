import type { Index } from "@/lib/access/compile/compile";
import { inAnyState, makePlan, type Plan } from "@/lib/access/decide/plan";
import { visibleTools } from "@/lib/access/decide/resolve";
import { registeredIn, requestAgain, type LoggedCaller, type Registered } from "@/lib/access/impact/request";
import { addSparseAmong, emptyBits, hasBit, setBit, type Bits } from "@/lib/access/model/bitset";
import type { Parts } from "@/lib/access/model/parts";

/** A caller of the counted calls, with its agent. */
export interface UsageCaller extends LoggedCaller {
  readonly agent: string | null;
}

/** What callers get through one policy. */
interface PolicyReach {
  /** The callers that the policy matches. */
  readonly callers: number;
  /** Tools by number. */
  readonly tools: Bits;
}

/** What recent callers get by today's rules, by allow policy and by agent. */
export interface Reach {
  readonly policies: ReadonlyMap<string, PolicyReach>;
  /** Tools by number that some caller of the agent sees in some state. */
  readonly agents: ReadonlyMap<string, Bits>;
}

/**
 * The tools that callers get now through each policy: tools that are visible in some state, and a member of a group that
 * the policy grants and the caller requests (docs/reference/decision.md#rightsizing). In parts, because there may be
 * thousands of callers.
 * @param now epoch milliseconds of every decision
 */
export function* reachOf(index: Index, callers: readonly UsageCaller[], now: number): Parts<Reach> {
  const registered = yield* registeredIn(index);
  const size = index.tools.all.length;
  const policies = new Map<string, { callers: number; readonly tools: Bits }>();
  const agents = new Map<string, Bits>();
  // Access grants are compiled to policies without a row.
  const stored = new Set(index.config.policies.map(({ name }) => name));
  // One set for all callers: a set for each would take a quarter of the time.
  const visible = emptyBits(size);
  for (const caller of callers) {
    yield;
    const plan = planOf(registered, caller, now);
    if (plan === null) continue;
    visible.fill(0);
    for (const tool of visibleTools(plan)) setBit(visible, tool);
    for (const { policy, groups } of plan.matched) {
      if (policy.effect !== "allow" || !stored.has(policy.name)) continue;
      const known = policies.get(policy.name) ?? { callers: 0, tools: emptyBits(size) };
      policies.set(policy.name, known);
      known.callers += 1;
      addThrough(known.tools, plan, groups, visible);
    }
    if (caller.agent === null) continue;
    const seen = agents.get(caller.agent) ?? emptyBits(size);
    agents.set(caller.agent, seen);
    addBits(seen, visible);
  }
  return { policies, agents };
}

/**
 * The decision about a caller in any state: a policy grants the tools of later states, too. Without its state, a caller is
 * served that stated one before the server kept it.
 */
function planOf(registered: Registered, caller: LoggedCaller, now: number): Plan | null {
  const answer = requestAgain(registered, registered, { ...caller, request: { ...caller.request, state: null } });
  if (!answer.ok) return null;
  return inAnyState(makePlan(registered.index, answer.request, now));
}

/** Adds the visible tools of the groups that pass. */
function addThrough(tools: Bits, plan: Plan, groups: readonly number[], visible: Bits): void {
  for (const group of groups) {
    const compiled = hasBit(plan.passing, group) ? plan.index.groups.all[group] : undefined;
    if (compiled !== undefined) addSparseAmong(tools, compiled.members, visible);
  }
}

function addBits(to: Bits, from: Bits): void {
  for (let word = 0; word < to.length; word += 1) to[word] = (to[word] ?? 0) | (from[word] ?? 0);
}
