import { compileInParts, type Index } from "@/lib/access/compile/compile";
import { rulesHeld } from "@/lib/access/compile/flows";
import { isObserved, type CompiledPolicy } from "@/lib/access/compile/policies";
import { checkArguments } from "@/lib/access/decide/arguments";
import type { Reason, ResolveRequest } from "@/lib/access/decide/resolution";
import { check, visibleNumbers } from "@/lib/access/decide/resolve";
import { hasBit } from "@/lib/access/model/bitset";
import type { JsonObject, Policy } from "@/lib/access/model/configuration";
import { atOnce, type Parts } from "@/lib/access/model/parts";

/** The observed rules of an index, and the index in which they are enforced (docs/reference/governance.md#observe). */
export interface Observed {
  readonly enforced: Index;
  /** The observed policies, in evaluation order, as the enforced index has them. */
  readonly policies: readonly { readonly compiled: CompiledPolicy; readonly rule: ObservedRule }[];
  /** The observed flow rules by name. */
  readonly flows: ReadonlyMap<string, ObservedRule>;
}

/** An observed rule by name: one object for each rule of an `Observed`. */
export interface ObservedRule {
  readonly kind: "policy" | "flow";
  readonly name: string;
}

/** A call's outcome under the rules: `reason` is `null` for an allowed call and for an unknown tool. */
interface Verdict {
  readonly visible: boolean;
  readonly reason: Reason | "arguments_refused" | "approval_required" | null;
}

/** What would be different with the observed rules enforced, and the rule behind it. */
export interface WouldBe extends Verdict {
  readonly rule: ObservedRule;
  /** `asked`: the call would wait for a person. `reason`: it stays refused, for another reason. */
  readonly change: "refused" | "allowed" | "asked" | "reason";
}

/** A call, or with `args` = `null` only whether a tool is visible. */
interface ObservedCall {
  readonly request: ResolveRequest;
  readonly toolId: string;
  readonly args: JsonObject | null;
  /** True: the rules in force are known to show the tool and to accept the arguments. */
  readonly isAllowed?: boolean;
}

const compiledObserved = new WeakMap<Index, Observed | null>();

/** Whether a configuration has an active observed rule. */
function hasObserved({ config }: Index): boolean {
  return [config.policies, config.flows].some((rules) => rules.some(isObserved));
}

/** Whether a configuration has an active observed flow rule: then the pipeline must read a call's labels. */
export function observesFlows({ config }: Index): boolean {
  return config.flows.some(isObserved);
}

/** The observed rules of an index; `null` without any. Compiles the enforced index once per index. */
export function observedIn(index: Index): Observed | null {
  return atOnce(observedInParts(index));
}

/** `observedIn` in parts. Loading a snapshot runs it, so that no call waits for the compilation. */
export function* observedInParts(index: Index): Parts<Observed | null> {
  const found = compiledObserved.get(index);
  if (found !== undefined) return found;
  const made = hasObserved(index) ? yield* compileObserved(index) : null;
  compiledObserved.set(index, made);
  return made;
}

function* compileObserved(index: Index): Parts<Observed> {
  const { config } = index;
  const enforce = <Rule extends Pick<Policy, "active" | "mode">>(rule: Rule): Rule =>
    isObserved(rule) ? { ...rule, mode: "enforce" } : rule;
  const next = { ...config, policies: config.policies.map(enforce), flows: config.flows.map(enforce) };
  const enforced = yield* compileInParts(next, index);
  const names = new Set(config.policies.filter(isObserved).map(({ name }) => name));
  return {
    enforced,
    policies: enforced.policies
      .filter(({ grant, policy }) => grant === null && names.has(policy.name))
      .map((compiled) => ({ compiled, rule: { kind: "policy", name: compiled.policy.name } })),
    flows: new Map(config.flows.filter(isObserved).map(({ name }) => [name, { kind: "flow", name }])),
  };
}

/** The observed rules that match a caller: policies by its claims, flow rules by its labels. */
export function rulesMatching(
  { enforced, policies, flows }: Observed,
  { claims, labels }: ResolveRequest,
  now: number,
): readonly ObservedRule[] {
  const search = enforced.policyIndex.search(claims, now);
  return [
    ...policies.flatMap(({ compiled, rule }) => (search.matches(compiled) ? rule : [])),
    ...rulesHeld(enforced.flows, labels).flatMap(({ rule }) => flows.get(rule.name) ?? []),
  ];
}

/**
 * How a call's decision differs with all observed rules enforced; `null` when it does not. `matching`: the observed rules
 * that match the caller.
 */
export function wouldBe(
  index: Index,
  observed: Observed,
  call: ObservedCall,
  matching: readonly ObservedRule[],
  now: number,
): WouldBe | null {
  const present = call.isAllowed === true ? allowedVerdict(index, call) : verdictOf(index, call, now);
  const enforced = verdictOf(observed.enforced, call, now);
  if (present.visible === enforced.visible && present.reason === enforced.reason) return null;
  const rule = ruleBehind(observed, call.toolId, enforced, matching);
  return rule === null ? null : { ...enforced, rule, change: changeOf(present, enforced) };
}

function changeOf(present: Verdict, enforced: Verdict): WouldBe["change"] {
  if (!mayRun(present)) return mayRun(enforced) ? "allowed" : "reason";
  if (!mayRun(enforced)) return "refused";
  return enforced.reason === null ? "allowed" : "asked";
}

function mayRun({ visible, reason }: Verdict): boolean {
  return visible && reason !== "arguments_refused";
}

function verdictOf(index: Index, call: ObservedCall, now: number): Verdict {
  const { request, toolId, args } = call;
  const found = check(index, request, toolId, now);
  if (found.verdict !== "visible") return { visible: false, reason: found.verdict === "hidden" ? found.reason : null };
  if (args === null) return { visible: true, reason: null };
  if (!checkArguments(index, request, toolId, args, now).allowed) return { visible: true, reason: "arguments_refused" };
  return allowedVerdict(index, call);
}

/** The verdict on a call of a visible tool with accepted arguments: a flow rule may still ask a person. */
function allowedVerdict(
  { flows, tools }: Index,
  { request, toolId }: Pick<ObservedCall, "request" | "toolId">,
): Verdict {
  const number = tools.numberOf.get(toolId) ?? -1;
  const waits = rulesHeld(flows, request.labels).some(
    ({ rule, passing }) => rule.effect === "approve" && !hasBit(passing, number),
  );
  return { visible: true, reason: waits ? "approval_required" : null };
}

/** The effects of the policies that can explain an outcome, the likeliest first. */
const EFFECTS = {
  refuses: ["deny", "allow", "request"],
  shows: ["allow", "request", "deny"],
  offers: ["request", "allow", "deny"],
} as const;

/** The matching observed rule that explains a verdict best: a flow rule, or a policy that names one of the tool's groups. */
function ruleBehind(
  { enforced, policies, flows }: Observed,
  toolId: string,
  { visible, reason }: Verdict,
  matching: readonly ObservedRule[],
): ObservedRule | null {
  const number = enforced.tools.numberOf.get(toolId) ?? -1;
  const matches = new Set(matching);
  if (reason === "flow_restricted" || reason === "approval_required")
    for (const { rule, passing } of enforced.flows.all) {
      const observed = flows.get(rule.name);
      if (observed !== undefined && matches.has(observed) && !hasBit(passing, number)) return observed;
    }
  const groupSet = enforced.groups.groupSets[enforced.groups.groupSetOf[number] ?? -1];
  const groups = new Set([...(groupSet?.members ?? []), ...(groupSet?.excluded ?? [])]);
  const matchingPolicies = policies.filter(({ rule }) => matches.has(rule));
  const naming = matchingPolicies.filter(({ compiled }) => compiled.groups.some((group) => groups.has(group)));
  const order =
    reason === "access_requestable" ? EFFECTS.offers : visible && reason === null ? EFFECTS.shows : EFFECTS.refuses;
  for (const candidates of [naming, matchingPolicies])
    for (const effect of order) {
      const found = candidates.find(({ compiled }) => compiled.policy.effect === effect);
      if (found !== undefined) return found.rule;
    }
  return matching[0] ?? null;
}

/** A tool that a list would gain (`shown`) or lose (`hidden`), with the observed rule behind it. */
export interface ListChange {
  readonly tool: string;
  readonly change: "shown" | "hidden";
  readonly rule: ObservedRule;
}

/** The tools by which a list would differ with all observed rules enforced, at most `max` of them. */
export function listChanges(
  index: Index,
  observed: Observed,
  request: ResolveRequest,
  matching: readonly ObservedRule[],
  now: number,
  max: number,
): readonly ListChange[] {
  const { enforced } = observed;
  const before = new Set(visibleNumbers(index, request, now));
  const after = new Set(visibleNumbers(enforced, request, now));
  const changes = [
    ...[...after].filter((number) => !before.has(number)).map((number) => ({ number, change: "shown" as const })),
    ...[...before].filter((number) => !after.has(number)).map((number) => ({ number, change: "hidden" as const })),
  ];
  return changes.slice(0, max).flatMap(({ number, change }) => {
    const tool = enforced.tools.all[number]?.id ?? "";
    const found = wouldBe(index, observed, { request, toolId: tool, args: null }, matching, now);
    return found === null ? [] : { tool, change, rule: found.rule };
  });
}
