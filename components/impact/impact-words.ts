import { counted } from "@/components/ui/counted";
import { upperFirst } from "@/components/ui/text/letter-case";
import { reasonInWords } from "@/components/executions/reason-words";
import { placeInWords } from "@/components/resource/editor/changes";
import type { FieldProblem } from "@/lib/errors";
import type { ImpactCall, ImpactCaller, ImpactOutput } from "@/lib/contracts/decisions/impact";

/** Why a call is refused, in a few words, with the details if there are any. */
export function refusalInWords({ reason, detail }: Pick<ImpactCall, "reason" | "detail">): string {
  const words = reason === "caller_refused" ? "Caller refused" : reasonInWords(reason);
  return detail === null ? words : `${words}: ${detail}`;
}

/** Calls that the rules would refuse, and those that would be invalid requests, because they name no session. */
export function splitRefused(
  calls: readonly ImpactCall[],
): Readonly<Record<"refused" | "invalid", readonly ImpactCall[]>> {
  const isInvalid = ({ reason }: ImpactCall) => reason === "session_required";
  return { refused: calls.filter((call) => !isInvalid(call)), invalid: calls.filter(isInvalid) };
}

/** Calls of one tool by one caller that would be refused for the same reason, newest first. */
export interface SimilarCalls {
  readonly latest: ImpactCall;
  readonly count: number;
}

/** Groups calls that differ only in their time, in the order of the latest call of each group. */
export function groupSimilarCalls(calls: readonly ImpactCall[]): readonly SimilarCalls[] {
  const groups = new Map<string, SimilarCalls>();
  for (const call of calls) {
    const key = JSON.stringify([call.toolId, call.who, call.reason, call.detail]);
    const { latest, count } = groups.get(key) ?? { latest: call, count: 0 };
    groups.set(key, { latest, count: count + 1 });
  }
  return [...groups.values()];
}

/** The API's spelling at the end of a problem, such as " (`everyone: true`)". People do not need it. */
const API_SPELLING = / \(`[^`]+`\)$/;
/** Problems that the impact names. The review shows the others at their fields. */
const MAX_MISSING = 3;

/** What a draft still lacks, one sentence per field or row. */
export function missingInWords(problems: readonly FieldProblem[]): readonly string[] {
  const byPlace = new Map<string, string>();
  for (const { path, message: serverMessage } of problems) {
    const message = serverMessage.replace(API_SPELLING, "");
    const place = placeInWords(path);
    if (!byPlace.has(place)) byPlace.set(place, place === "" ? message : `${place}: ${message}`);
  }
  return [...byPlace.values()].slice(0, MAX_MISSING);
}

/** The ways in which a change alters what a caller can do with a tool, most harmful first. */
export const TOOL_CHANGES = [
  "lost",
  "lostInOtherStates",
  "gained",
  "gainedInOtherStates",
  "approvalAdded",
  "approvalRemoved",
  "limitsChanged",
  "argumentsLimited",
  "argumentsChanged",
] as const;

/** Whether a change alters anything for a caller. A caller that is refused before and after is not affected. */
export function isAffected(caller: ImpactCaller): boolean {
  const isNewlyRefused = caller.problem !== null && !caller.isRefusedBefore;
  return TOOL_CHANGES.some((kind) => caller[kind].count > 0) || caller.needsSession || isNewlyRefused;
}

/** Whether a change is a widening: it gives somebody tools, or may allow calls that are now refused or wait for approval. */
export function isWidening({ callers, calls, moreCallers, moreAgents }: ImpactOutput): boolean {
  const gains = ({ gained, gainedInOtherStates, approvalRemoved, argumentsChanged }: ImpactCaller) =>
    gained.count + gainedInOtherStates.count + approvalRemoved.count + argumentsChanged.count > 0;
  // Calls that depend on arguments are not decided, and the callers beyond the limit are not measured.
  return moreCallers || moreAgents || callers.some(gains) || calls.allowed.length + calls.undecided > 0;
}

/** Changes of tools that a caller keeps in any compared state, also in another one than its impact names. */
const IN_ANY_STATE: ReadonlySet<string> = new Set([
  "approvalAdded",
  "approvalRemoved",
  "limitsChanged",
  "argumentsLimited",
  "argumentsChanged",
] satisfies readonly (typeof TOOL_CHANGES)[number][]);

/** The states of which a change of tools is stated; empty when it is the state that the caller's line names. */
export function statesOf(kind: (typeof TOOL_CHANGES)[number], { state }: Pick<ImpactCaller, "state">): string {
  return state !== null && IN_ANY_STATE.has(kind) ? ", in states that have the tool" : "";
}

/** What a reader must know about a caller's results, such as "with its attributes, in the initial state `new`". */
export function circumstancesOf(caller: ImpactCaller): string | null {
  const { problem, isRefusedBefore, initialState, state } = caller;
  const parts = [
    ...(isSilent(caller) ? ["with its attributes"] : []),
    ...(initialState === null ? [] : [`in the initial state \`${initialState}\``]),
    ...(initialState !== null || state === null ? [] : [`in the state \`${state}\` of its latest call`]),
    ...(problem !== null && isRefusedBefore ? [`refused before and after: ${problem}`] : []),
  ];
  return parts.length === 0 ? null : parts.join(", ");
}

/** Whether a caller is a registered agent without recent calls. */
function isSilent({ kind, callId }: ImpactCaller): boolean {
  return kind === "agent" && callId === null;
}

/**
 * What an impact was measured with: "the sample claims of 3 personas, the attributes of 1 agent without recent calls, 5
 * recent calls".
 */
export function measuredOf({ callers, calls, moreCallers, moreAgents }: ImpactOutput): string {
  const personas = callers.filter(({ kind }) => kind === "persona").length;
  const seen = callers.filter(({ callId }) => callId !== null).length;
  const silent = callers.filter((caller) => isSilent(caller)).length;
  const measured = [
    ...(personas === 0 ? [] : [`the sample claims of ${counted(personas, "persona")}`]),
    ...(seen === 0
      ? []
      : [`the logged claims of ${moreCallers ? "the latest " : ""}${counted(seen, "recent caller")}`]),
    ...(silent === 0
      ? []
      : [
          `the attributes of ${moreAgents ? "the first " : ""}${counted(silent, "agent")}${seen === 0 ? "" : " without recent calls"}`,
        ]),
    ...(calls.replayed === 0 ? [] : [counted(calls.replayed, "recent call")]),
  ].join(", ");
  if (calls.replayed > 0) return measured;
  return `${measured === "" ? "" : `${measured}; `}there are no recent calls`;
}

/** "2 callers and 3 personas". Personas are counted apart: they are examples of callers. */
export function countedWho(callers: readonly Pick<ImpactCaller, "kind">[]): string {
  const personas = callers.filter(({ kind }) => kind === "persona").length;
  const others = callers.length - personas;
  const parts = [
    ...(others === 0 ? [] : [counted(others, "caller")]),
    ...(personas === 0 ? [] : [counted(personas, "persona")]),
  ];
  return parts.join(" and ");
}

/** The clause of the summary for each kind of change. */
const CHANGE_CLAUSES: Readonly<Record<(typeof TOOL_CHANGES)[number], (who: string, isOne: boolean) => string>> = {
  lost: (who, isOne) => `${who} ${isOne ? "loses" : "lose"} tools`,
  lostInOtherStates: (who, isOne) => `${who} ${isOne ? "loses" : "lose"} tools in other states`,
  gained: (who, isOne) => `${who} ${isOne ? "gains" : "gain"} tools`,
  gainedInOtherStates: (who, isOne) => `${who} ${isOne ? "gains" : "gain"} tools in other states`,
  approvalAdded: (who) => `calls of ${who} would wait for approval`,
  approvalRemoved: (who) => `calls of ${who} would no longer wait for approval`,
  limitsChanged: (who) => `limits change for ${who}`,
  argumentsLimited: (who) => `some arguments would be refused for ${who}`,
  argumentsChanged: (who) => `the allowed arguments change for ${who}`,
};

/** How many findings a change adds or removes: "This brings back 1 finding". */
export function findingsInWords(way: "added" | "removed", count: number, isUndo = false): string {
  const verb = way === "removed" ? "removes" : isUndo ? "brings back" : "adds";
  return `This ${verb} ${counted(count, "finding")}`;
}

/** An impact in one line: who loses, who gains, which calls are refused. */
export function summaryOf({ callers, calls }: ImpactOutput): string {
  const { refused, invalid } = splitRefused(calls.refused);
  const needing = callers.filter(({ needsSession }) => needsSession);
  const parts = [
    ...TOOL_CHANGES.flatMap((kind) => {
      const affected = callers.filter((caller) => caller[kind].count > 0);
      return affected.length === 0 ? [] : [CHANGE_CLAUSES[kind](countedWho(affected), affected.length === 1)];
    }),
    ...(needing.length === 0 ? [] : [`requests of ${countedWho(needing)} would need a session`]),
    ...(refused.length === 0 ? [] : [`${counted(refused.length, "recent call")} would be refused`]),
    ...(invalid.length === 0 ? [] : [`${counted(invalid.length, "recent call")} would be invalid`]),
    ...(calls.waiting.length === 0 ? [] : [`${counted(calls.waiting.length, "recent call")} would wait for approval`]),
    ...(calls.limited.length === 0 ? [] : [`${counted(calls.limited.length, "recent call")} would reach a limit`]),
    ...(calls.allowed.length === 0
      ? []
      : [`${counted(calls.allowed.length, "call that is", "calls that are")} refused now would be allowed`]),
  ];
  const undecided =
    calls.undecided === 0
      ? ""
      : `${counted(calls.undecided, "recent call depends", "recent calls depend")} on arguments`;
  if (parts.length === 0)
    return undecided !== ""
      ? `No checked caller gains or loses tools; ${undecided}.`
      : calls.replayed === 0
        ? "No checked caller gains or loses tools."
        : "None of the checked callers and recent calls is affected.";
  return `${upperFirst([...parts, ...(undecided === "" ? [] : [undecided])].join(", "))}.`;
}

/** What became of the argument conditions of the calls; `null` when no call depends on any. */
export function argumentsInWords({ calls }: ImpactOutput, isChecked: boolean): string | null {
  const depend = `${counted(calls.undecided, "call depends", "calls depend")} on argument conditions`;
  if (!isChecked) return calls.undecided === 0 ? null : `${depend}, which were not checked.`;
  if (calls.undecided > 0) return `${depend}, but the log does not have their complete arguments.`;
  const isChanged = calls.refused.length + calls.allowed.length > 0;
  return isChanged ? "The logged arguments were checked." : "The logged arguments were checked: no call changes.";
}
