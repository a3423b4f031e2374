import { bindingConditions, checkArguments, rulesOnArguments } from "@/lib/access/decide/arguments";
import { emptyBits, hasBit, setBit } from "@/lib/access/model/bitset";
import { canonicalText } from "@/lib/access/model/canonical";
import type { Index } from "@/lib/access/compile/compile";
import type { Json, JsonObject, Tool } from "@/lib/access/model/configuration";
import { inParts, type Parts } from "@/lib/access/model/parts";
import {
  lacksSession,
  registeredIn,
  requestAgain,
  requestOfAgent,
  type LoggedCaller,
  type Registered,
} from "@/lib/access/impact/request";
import { isStateHeld, type RequestAnswer } from "@/lib/access/model/request";
import type { Reason, ResolveRequest } from "@/lib/access/decide/resolution";
import { check, visibleNumbers } from "@/lib/access/decide/resolve";

/** How a change affects one caller's tools. */
export interface ToolsChange {
  /** The number of the caller's tools. */
  readonly before: number;
  readonly after: number;
  /** In list order. */
  readonly gained: readonly Tool[];
  readonly lost: readonly Tool[];
  /** Visible on both sides, as the changed configuration defines them. */
  readonly kept: readonly Tool[];
  /** `kept`, and tools kept in another compared state of the caller's machine. Without `gained` and `lost`. */
  readonly keptInAnyState: readonly Tool[];
  /** Of `keptInAnyState`: tools whose arguments had no conditions before and have conditions now. */
  readonly argumentsLimited: readonly Tool[];
  /** Of `keptInAnyState`: tools whose arguments had conditions before and have other ones or none now. */
  readonly argumentsChanged: readonly Tool[];
  /** Gained, or lost, only in compared states of the caller's machine other than `state`. */
  readonly gainedInOtherStates: readonly Tool[];
  readonly lostInOtherStates: readonly Tool[];
  /** Why the caller's requests would be refused; `null` when they would not be. */
  readonly problem: string | null;
  /** Whether the caller's requests are refused before the change. */
  readonly isRefusedBefore: boolean;
  /** The initial state of the caller's machine, if it equals `state`; otherwise `null`. */
  readonly initialState: string | null;
  /** The state of the caller's machine in which the tools are decided; `null` without a named machine. */
  readonly state: string | null;
  /** Whether the server would newly keep the caller's state, and so refuse its requests without a session. */
  readonly needsSession: boolean;
}

/** A recorded call. */
export interface LoggedCall {
  readonly caller: LoggedCaller;
  readonly toolId: string;
  /** Whether the recorded call was refused. */
  readonly denied: boolean;
  /** `null` when the log does not hold the arguments: then argument conditions cannot be judged. */
  readonly arguments: JsonObject | null;
}

/** Why a call is refused on one side. */
interface Refused {
  /** The resolution's reason code, or the code of another refusal. */
  readonly reason: Reason | "unknown_tool" | "arguments_refused" | "caller_refused" | "session_required";
  /** A sentence that says more than the code; `null` = nothing more is known. */
  readonly detail: string | null;
}

/** How a change affects a call like a recorded one. */
type CallChange =
  | { readonly kind: "same" }
  | { readonly kind: "refused"; readonly why: Refused }
  /** Refused before for the reason `why`, and allowed now. */
  | { readonly kind: "allowed"; readonly why: Refused }
  /** The verdict depends on arguments that the log does not hold. */
  | { readonly kind: "undecided" };

/** Compares two configurations at one moment: the current one and the draft. */
export interface Comparison {
  /** The tools of a caller on each side. */
  readonly tools: (before: RequestAnswer, after: RequestAnswer) => ToolsChange;
  /** The tools of a logged caller on each side. */
  readonly caller: (caller: LoggedCaller) => ToolsChange;
  /** The tools of a registered agent on each side; `null` when neither side serves it. */
  readonly agent: (name: string) => ToolsChange | null;
  /** How the decision on a call like this one would change. */
  readonly call: (call: LoggedCall) => CallChange;
}

/**
 * Compares two configurations by the resolver's decisions on each (docs/reference/http.md#admin-api). Matches the tools of
 * both sides by id once, and renders no lists, so that comparing a caller costs little more than two decisions. In parts,
 * because indexing both sides takes long.
 * @param now epoch milliseconds of every decision
 */
export function* compareIndexes(before: Index, after: Index, now: number): Parts<Comparison> {
  const sides = { before: yield* registeredIn(before), after: yield* registeredIn(after) };
  const numberBefore = new Int32Array(after.tools.all.length);
  yield* inParts(after.tools.all, ({ id }, number) => (numberBefore[number] = before.tools.numberOf.get(id) ?? -1));
  const requestsOf = (caller: LoggedCaller): RequestAnswers => ({
    before: requestAgain(sides.before, sides.before, caller),
    after: requestAgain(sides.after, sides.before, caller),
  });
  const toolsIn = (was: RequestAnswer, is: RequestAnswer, state?: string) => {
    const visible = (index: Index, answer: RequestAnswer) =>
      answer.ok ? visibleNumbers(index, state === undefined ? answer.request : { ...answer.request, state }, now) : [];
    return differenceOf(before, after, numberBefore, { had: visible(before, was), has: visible(after, is) });
  };
  const boundArguments = compareArguments(before, after, now);
  const tools: Comparison["tools"] = (was, is) => {
    const decided = toolsIn(was, is);
    const others = otherStates(before, after, was, is).map((state) => toolsIn(was, is, state));
    const keptInAnyState = others.length === 0 ? decided.kept : keptInSome(decided, others);
    return {
      ...decided,
      keptInAnyState,
      ...boundArguments(was, is, keptInAnyState),
      gainedInOtherStates: onlyInOthers(decided, others, "gained"),
      lostInOtherStates: onlyInOthers(decided, others, "lost"),
      problem: is.ok ? null : is.message,
      isRefusedBefore: !was.ok,
      initialState: is.ok ? initialStateOf(after, is.request) : null,
      state: is.ok && is.request.machine !== null ? is.request.state || initialStateOf(after, is.request) : null,
      needsSession: isStateHeldOn(sides.after, is) && !isStateHeldOn(sides.before, was),
    };
  };
  return {
    tools,
    caller: (caller) => {
      const requests = requestsOf(caller);
      return tools(requests.before, requests.after);
    },
    agent: (name) => {
      const [was, is] = [requestOfAgent(sides.before, name), requestOfAgent(sides.after, name)];
      return was.ok || is.ok ? tools(was, is) : null;
    },
    call: (call) => {
      const requests = requestsOf(call.caller);
      const was = judge(sides.before, requests.before, call, now);
      const is = judge(sides.after, requests.after, call, now);
      if (was === "undecided" && is === "undecided" && sameRules(before, after, requests, call.toolId, now))
        return { kind: "same" };
      // The log lacks the arguments. It shows that they were allowed if the call was not refused.
      return changeOf(was === "undecided" && !call.denied ? "allowed" : was, is);
    },
  };
}

type ArgumentsChange = Pick<ToolsChange, "argumentsLimited" | "argumentsChanged">;

/** Finds the kept tools whose argument conditions change. */
function compareArguments(
  before: Index,
  after: Index,
  now: number,
): (was: RequestAnswer, is: RequestAnswer, kept: readonly Tool[]) => ArgumentsChange {
  const hasConditions = [before, after].some(({ policies }) => policies.some((policy) => policy.arguments.length > 0));
  return (was, is, kept) => {
    const change = { argumentsLimited: [] as Tool[], argumentsChanged: [] as Tool[] };
    if (!hasConditions || !was.ok || !is.ok) return change;
    const [had, has] = [bindingConditions(before, was.request, now), bindingConditions(after, is.request, now)];
    const numberIn = (index: Index, id: string) => index.tools.numberOf.get(id) ?? -1;
    for (const tool of kept) {
      const [old, current] = [had(numberIn(before, tool.id)), has(numberIn(after, tool.id))];
      if (old !== current) (old === "" ? change.argumentsLimited : change.argumentsChanged).push(tool);
    }
    return change;
  };
}

/** Compares the visible tools of both sides, `had` and `has`: each is a list of that side's tool numbers. */
function differenceOf(
  before: Index,
  after: Index,
  numberBefore: Int32Array,
  { had, has }: { readonly had: readonly number[]; readonly has: readonly number[] },
): Pick<ToolsChange, "before" | "after" | "gained" | "lost" | "kept"> {
  const hadBits = emptyBits(before.tools.all.length);
  for (const number of had) setBit(hadBits, number);
  const hasBits = emptyBits(before.tools.all.length);
  const [gained, kept]: [Tool[], Tool[]] = [[], []];
  for (const number of has) {
    const [tool, known] = [after.tools.all[number], numberBefore[number] ?? -1];
    if (known >= 0) setBit(hasBits, known);
    if (tool !== undefined) (known >= 0 && hasBit(hadBits, known) ? kept : gained).push(tool);
  }
  const lost = had.filter((number) => !hasBit(hasBits, number)).flatMap((number) => before.tools.all[number] ?? []);
  return { before: had.length, after: has.length, gained, lost, kept };
}

/** The most other states that are compared for one caller: each costs two decisions. */
const MAX_OTHER_STATES = 10;

/** The states that a caller's machine has on both sides, without the one in which the tools are decided. */
function otherStates(before: Index, after: Index, was: RequestAnswer, is: RequestAnswer): readonly string[] {
  if (!was.ok || !is.ok || is.request.machine !== was.request.machine) return [];
  const [old, compiled] = [before, after].map(({ machines }) => machines.get(is.request.machine));
  const decided = is.request.state || compiled?.initial;
  const kept = new Set(old?.machine?.states.map(({ name }) => name));
  const names = compiled?.machine?.states.map(({ name }) => name) ?? [];
  return names.filter((name) => name !== decided && kept.has(name)).slice(0, MAX_OTHER_STATES);
}

function onlyInOthers<K extends "gained" | "lost">(
  decided: Pick<ToolsChange, K>,
  others: readonly Pick<ToolsChange, K>[],
  kind: K,
): readonly Tool[] {
  const byId = new Map(others.flatMap((other) => other[kind]).map((tool) => [tool.id, tool]));
  for (const { id } of decided[kind]) byId.delete(id);
  return [...byId.values()];
}

/** The tools kept in any compared state, without those gained or lost in the decided state. */
function keptInSome(
  { kept, gained, lost }: Pick<ToolsChange, "kept" | "gained" | "lost">,
  others: readonly Pick<ToolsChange, "kept">[],
): readonly Tool[] {
  const byId = new Map([...kept, ...others.flatMap((other) => other.kept)].map((tool) => [tool.id, tool]));
  for (const { id } of [...gained, ...lost]) byId.delete(id);
  return [...byId.values()];
}

function isStateHeldOn({ byName }: Registered, answer: RequestAnswer): boolean {
  if (!answer.ok) return false;
  const { agent, machine } = answer.request;
  return isStateHeld(byName.get(agent ?? "") ?? null, machine);
}

/** The initial state of the request's machine, if the request names it or names no state; otherwise `null`. */
function initialStateOf({ machines }: Index, { machine, state }: ResolveRequest): string | null {
  if (machine === null) return null;
  const initial = machines.get(machine)?.initial ?? null;
  return state === null || state === "" || state === initial ? initial : null;
}

interface RequestAnswers {
  readonly before: RequestAnswer;
  readonly after: RequestAnswer;
}

/** Whether the same rules judge a tool's arguments on both sides: then any arguments get the same verdict. */
function sameRules(before: Index, after: Index, requests: RequestAnswers, toolId: string, now: number): boolean {
  const rules = (index: Index, answer: RequestAnswer) =>
    answer.ok ? canonicalText(rulesOnArguments(index, answer.request, toolId, now) as unknown as Json) : "";
  return rules(before, requests.before) === rules(after, requests.after);
}

type Verdict = "allowed" | "undecided" | Refused;

function changeOf(before: Verdict, after: Verdict): CallChange {
  const [was, is] = [typeof before === "string" ? null : before, typeof after === "string" ? null : after];
  if (was !== null && is !== null) return { kind: "same" };
  if (before === "undecided" || after === "undecided") return { kind: "undecided" };
  if (is !== null) return { kind: "refused", why: is };
  return was === null ? { kind: "same" } : { kind: "allowed", why: was };
}

/** Steps 2 and 4 of a call (docs/reference/execution.md): the tool must be visible, then its arguments are judged. */
function judge(
  side: Registered,
  answer: RequestAnswer,
  { caller, toolId, arguments: args }: LoggedCall,
  now: number,
): Verdict {
  const { index } = side;
  if (!answer.ok) return { reason: "caller_refused", detail: answer.message };
  if (lacksSession(side, caller, answer.request)) return { reason: "session_required", detail: null };
  const checked = check(index, answer.request, toolId, now);
  if (checked.verdict === "unknown") return { reason: "unknown_tool", detail: null };
  if (checked.verdict === "hidden") return { reason: checked.reason, detail: null };
  if (!checked.tool.conditional) return "allowed";
  if (args === null) return "undecided";
  const verdict = checkArguments(index, answer.request, toolId, args, now);
  return verdict.allowed ? "allowed" : { reason: "arguments_refused", detail: verdict.reason };
}
