import { hasBit, lowestBit, numbersOf, subtractSparse, type Bits, type SparseBits } from "@/lib/access/model/bitset";
import type { Index } from "@/lib/access/compile/compile";
import { ALL, type Tool } from "@/lib/access/model/configuration";
import { entryOf, EtagMixer, imitatorsOf, digestOf, toolAt } from "@/lib/access/decide/entries";
import type { Digest } from "@/lib/access/model/memory";
import { makePlan, makePlanFor, type Plan } from "@/lib/access/decide/plan";
import type { CompiledPolicy } from "@/lib/access/compile/policies";
import {
  MAX_REQUESTABLE,
  type Reason,
  type Resolution,
  type ResolvedTool,
  type ResolveRequest,
  type Step,
} from "@/lib/access/decide/resolution";
import { judgeGroupSet } from "@/lib/access/compile/group-sets";
import { firstFailure } from "@/lib/access/explain/steps";

/**
 * Decides which tools a caller sees, and through which groups (docs/reference/decision.md). Pure: `now` (epoch ms) is
 * an argument. `matched`: the policies that match the request's claims at `now`, when they are already known.
 */
export function resolve(
  index: Index,
  request: ResolveRequest,
  now: number,
  matched?: readonly CompiledPolicy[],
): Resolution {
  const plan = makePlan(index, request, now, matched);
  const mixer = new EtagMixer();
  const tools = listTools(plan, mixer);
  const requestable = requestableTools(plan);
  if (requestable.length > 0) mixer.add(digestOf(["requestable", requestable.map(({ id }) => id)]));
  return {
    revision: index.revision,
    tools,
    grantedGroups: numbersOf(plan.granted).flatMap((group) => index.groups.all[group]?.name ?? []),
    requestedGroups: request.group ?? [ALL],
    unknownGroups: unknownGroups(index, request),
    state: plan.state,
    machine: request.machine,
    profiles: plan.profiles,
    mode: plan.tier.mode,
    tier: plan.tier.groups,
    matchedPolicies: plan.matched.map(({ policy }) => policy.name),
    requestable,
    etag: mixer.finish(),
  };
}

/**
 * The numbers of the tools that `resolve` would list, in the same order, without entries. For comparing many callers.
 */
export function visibleNumbers(index: Index, request: ResolveRequest, now: number): readonly number[] {
  return visibleTools(makePlan(index, request, now));
}

/** Requested names without a group. */
export function unknownGroups(index: Index, request: ResolveRequest): readonly string[] {
  return (request.group ?? []).filter((name) => name !== ALL && !index.groups.numberOf.has(name));
}

function listTools(plan: Plan, etag: EtagMixer): readonly ResolvedTool[] {
  const { index, request } = plan;
  const visible = visibleTools(plan);
  const strict = request.includeDisabled ? planWithoutDisabled(plan) : null;
  const suffixed = suffixedTools(index, visible);
  const listed: ResolvedTool[] = [];
  let conditional = false;
  for (const tool of visible) {
    const callable = strict === null || firstFailure(strict, tool) === null;
    const verdict = judgeGroupSet(plan, index.groups.groupSetOf[tool] ?? 0);
    conditional ||= verdict.conditional;
    listed.push(entryOf(plan, tool, verdict, { suffixed: suffixed?.has(tool) === true, callable }, etag));
  }
  if (conditional) etag.add(conditionsDigest(plan));
  return listed;
}

const NO_TOOLS: readonly Tool[] = Object.freeze([]);

/** The first hidden tools that the caller may request from a person. Costs nothing when no request policy matches. */
function requestableTools(plan: Plan): readonly Tool[] {
  if (plan.requestable === null) return NO_TOOLS;
  const found: Tool[] = [];
  for (const number of visibleTools({ ...plan, passing: plan.requestable })) {
    if (found.length === MAX_REQUESTABLE) break;
    if (firstFailure(plan, number)?.reason === "access_requestable") found.push(toolAt(plan.index, number));
  }
  return found;
}

/** The same decision without `includeDisabled`: the tools that it shows are callable. */
function planWithoutDisabled({ index, request, now, matched }: Plan): Plan {
  return makePlan(index, { ...request, includeDisabled: false }, now, matched);
}

/** Hashes the conditions that a manifest may show, so that changed conditions change the etag. */
function conditionsDigest({ matched }: Plan): Digest {
  return digestOf(matched.map(({ policy }) => [policy.effect, policy.description, policy.arguments, policy.groups]));
}

/**
 * The visible tools' numbers, in output order. Reads only the words of `reached` that a passing group sets, which
 * `reachedWords` marks: the cost depends on the tools that the caller can reach, not on the catalogue.
 */
export function visibleTools(plan: Plan): number[] {
  const { groups, memory } = plan.index;
  const visible: number[] = [];
  if (plan.stopped) return visible;
  for (const group of numbersOf(plan.passing)) {
    const members = groups.all[group]?.members;
    if (members !== undefined) addReached(memory.reached, memory.reachedWords, members);
  }
  if (plan.denied !== null)
    for (const group of numbersOf(plan.denied)) {
      const members = groups.all[group]?.members;
      if (members !== undefined) subtractSparse(memory.reached, members);
    }
  const gates = Object.values(plan.gates).flatMap((step) => step.map(({ passing }) => passing));
  for (let at = 0; at < memory.reachedWords.length; at += 1) {
    for (let words = memory.reachedWords[at] ?? 0; words !== 0; words &= words - 1) {
      const word = (at << 5) + lowestBit(words);
      let left = memory.reached[word] ?? 0;
      memory.reached[word] = 0;
      for (const gate of gates) left &= gate[word] ?? 0;
      for (; left !== 0; left &= left - 1) {
        const tool = (word << 5) + lowestBit(left);
        const need = plan.index.tools.needOf[tool];
        if (need === 0 || plan.isCapable(need ?? 0)) visible.push(tool);
      }
    }
    memory.reachedWords[at] = 0;
  }
  return visible;
}

/** Adds a group's tools to `reached`, and marks the words that it touches. */
function addReached(reached: Bits, reachedWords: Bits, { at, words }: SparseBits): void {
  for (let i = 0; i < at.length; i += 1) {
    const word = at[i] ?? 0;
    reached[word] = (reached[word] ?? 0) | (words[i] ?? 0);
    reachedWords[word >>> 5] = (reachedWords[word >>> 5] ?? 0) | (1 << (word & 31));
  }
}

/**
 * The visible tools that share their name with another visible tool, or whose name imitates a suffix; `null` when there
 * are none. All of them get a suffix: a grant must never move a name from one tool to another. Tools of one name are
 * neighbours in the list.
 */
function suffixedTools(index: Index, visible: readonly number[]): ReadonlySet<number> | null {
  let suffixed: Set<number> | null = null;
  let before: number | null = null;
  const imitators = imitatorsOf(index);
  for (const tool of visible) {
    if (imitators.has(tool)) (suffixed ??= new Set()).add(tool);
    if (!hasBit(index.tools.sharesName, tool)) continue;
    if (before !== null && toolAt(index, before).name === toolAt(index, tool).name) {
      suffixed ??= new Set();
      suffixed.add(before).add(tool);
    }
    before = tool;
  }
  return suffixed;
}

/** The result of checking one tool for a caller. */
type Check =
  | { readonly verdict: "visible"; readonly tool: ResolvedTool }
  | { readonly verdict: "hidden"; readonly tool: Tool; readonly decidedBy: Step; readonly reason: Reason }
  | { readonly verdict: "unknown" };

/** Whether one tool (by id) is visible, without computing the list. */
export function check(index: Index, request: ResolveRequest, toolId: string, now: number): Check {
  const number = index.tools.numberOf.get(toolId);
  if (number === undefined) return { verdict: "unknown" };
  const plan = makePlanFor(index, request, now, namesakes(index, number));
  const failure = firstFailure(plan, number);
  if (failure !== null) return { verdict: "hidden", tool: toolAt(index, number), ...failure };
  return { verdict: "visible", tool: visibleEntry(plan, number) };
}

/** The entry of a tool that is known to be visible. The plan must hold for its namesakes too. */
export function visibleEntry(plan: Plan, number: number): ResolvedTool {
  const { index } = plan;
  const callable = !plan.request.includeDisabled || firstFailure(planWithoutDisabled(plan), number) === null;
  const suffixed =
    imitatorsOf(index).has(number) ||
    namesakes(index, number).some((other) => other !== number && firstFailure(plan, other) === null);
  const verdict = judgeGroupSet(plan, index.groups.groupSetOf[number] ?? 0);
  return entryOf(plan, number, verdict, { suffixed, callable });
}

/** All tools with this tool's name, which are neighbours. */
function namesakes({ tools }: Index, number: number): readonly number[] {
  if (!hasBit(tools.sharesName, number)) return [number];
  const name = tools.all[number]?.name;
  let first = number;
  while (tools.all[first - 1]?.name === name) first -= 1;
  const found: number[] = [];
  for (let other = first; tools.all[other]?.name === name; other += 1) found.push(other);
  return found;
}

/**
 * The tools of a list that a name may mean: usually one or none. There are several when the name is the plain name of
 * several suffixed tools. The plain name of one suffixed tool finds nothing: another grant may give it to another tool.
 */
export function findByExposedName({ tools }: Resolution, name: string): readonly ResolvedTool[] {
  const exposed = tools.filter(({ exposedName }) => exposedName === name);
  if (exposed.length > 0) return exposed;
  const named = tools.filter(({ tool }) => tool.name === name);
  return named.length > 1 ? named : [];
}
