import { counted } from "@/components/ui/counted";
import { reasonInWords } from "@/components/executions/reason-words";
import { placeInWords } from "@/components/resource/editor/changes";
import type { FieldProblem } from "@/lib/errors";
import type { ImpactCall, ImpactCaller, ImpactOutput } from "@/lib/contracts/decisions/impact";

/** Why a call is refused, in a few words, with the details if there are any. */
export function refusalInWords({ reason, detail }: Pick<ImpactCall, "reason" | "detail">): string {
  const words = reason === "caller_refused" ? "Caller refused" : reasonInWords(reason);
  return detail === null ? words : `${words}: ${detail}`;
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

/** Whether a change alters anything for a caller. A caller that is refused before and after is not affected. */
export function isAffected({ gained, lost, problem, isRefusedBefore }: ImpactCaller): boolean {
  return gained.count > 0 || lost.count > 0 || (problem !== null && !isRefusedBefore);
}

/** The circumstances in which a caller is decided: "no recent calls, in the initial state `new`". */
export function circumstancesOf(caller: ImpactCaller): string | null {
  const { problem, isRefusedBefore, initialState } = caller;
  const parts = [
    ...(isSilent(caller) ? ["no recent calls"] : []),
    ...(initialState === null ? [] : [`in the initial state \`${initialState}\``]),
    ...(problem !== null && isRefusedBefore ? [`refused before and after: ${problem}`] : []),
  ];
  return parts.length === 0 ? null : parts.join(", ");
}

/** Whether a caller is a registered agent without recent calls. */
function isSilent({ kind, callId }: ImpactCaller): boolean {
  return kind === "agent" && callId === null;
}

/** What an impact was measured with: "the sample claims of 3 personas, the attributes of 1 agent without recent calls, 5 recent calls". */
export function measuredOf({ callers, calls, moreCallers, moreAgents }: ImpactOutput): string {
  const personas = callers.filter(({ kind }) => kind === "persona").length;
  const seen = callers.filter(({ callId }) => callId !== null).length;
  const silent = callers.filter((caller) => isSilent(caller)).length;
  return [
    ...(personas === 0 ? [] : [`the sample claims of ${counted(personas, "persona")}`]),
    ...(seen === 0
      ? []
      : [`the logged claims of ${moreCallers ? "the latest " : ""}${counted(seen, "recent caller")}`]),
    ...(silent === 0
      ? []
      : [`the attributes of ${moreAgents ? "the first " : ""}${counted(silent, "agent")} without recent calls`]),
    calls.replayed === 0 ? "no recent calls" : counted(calls.replayed, "recent call"),
  ].join(", ");
}

/** An impact in one line: who loses, who gains, which calls are refused. */
export function summaryOf({ callers, calls }: ImpactOutput): string {
  const losing = callers.filter(({ lost }) => lost.count > 0).length;
  const gaining = callers.filter(({ gained }) => gained.count > 0).length;
  const parts = [
    ...(losing === 0 ? [] : [`${counted(losing, "caller loses", "callers lose")} tools`]),
    ...(gaining === 0 ? [] : [`${counted(gaining, "caller gains", "callers gain")} tools`]),
    ...(calls.refused.length === 0 ? [] : [`${counted(calls.refused.length, "recent call")} would be refused`]),
    ...(calls.waiting.length === 0 ? [] : [`${counted(calls.waiting.length, "recent call")} would wait for approval`]),
    ...(calls.limited.length === 0 ? [] : [`${counted(calls.limited.length, "recent call")} would reach a limit`]),
    ...(calls.allowed.length === 0 ? [] : [`${counted(calls.allowed.length, "refused call")} would be allowed`]),
  ];
  const undecided =
    calls.undecided === 0
      ? ""
      : `${counted(calls.undecided, "recent call depends", "recent calls depend")} on arguments`;
  if (parts.length === 0)
    return undecided !== ""
      ? `No caller is affected; ${undecided}.`
      : calls.replayed === 0
        ? "No caller gains or loses tools. There are no recent calls to check."
        : "No caller or recent call is affected.";
  return `${[...parts, ...(undecided === "" ? [] : [undecided])].join(", ")}.`;
}
