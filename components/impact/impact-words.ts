import { reasonInWords } from "@/components/executions/reason-words";
import type { ImpactCall, ImpactCaller, ImpactOutput } from "@/lib/resources/impact";

/** Why a call is refused, in a few words and with what more is known. */
export function refusalInWords({ reason, detail }: Pick<ImpactCall, "reason" | "detail">): string {
  const words = reason === "caller_refused" ? "Caller refused" : reasonInWords(reason);
  return detail === null ? words : `${words}: ${detail}`;
}

/** Whether a change alters anything for a caller. */
export function isMoved({ gained, lost, problem }: ImpactCaller): boolean {
  return gained.count > 0 || lost.count > 0 || problem !== null;
}

/** How many of something, with its word. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

/** The whole of an impact in one line: who loses, who gains, what is refused. */
export function summaryOf({ callers, calls }: ImpactOutput): string {
  const losing = callers.filter(({ lost }) => lost.count > 0).length;
  const gaining = callers.filter(({ gained }) => gained.count > 0).length;
  const parts = [
    ...(losing === 0 ? [] : [`${counted(losing, "caller loses", "callers lose")} tools`]),
    ...(gaining === 0 ? [] : [`${counted(gaining, "caller gains", "callers gain")} tools`]),
    ...(calls.refused.length === 0 ? [] : [`${counted(calls.refused.length, "recent call")} would be refused`]),
    ...(calls.allowed.length === 0 ? [] : [`${counted(calls.allowed.length, "refused call")} would be allowed`]),
  ];
  return parts.length === 0 ? "Nobody’s tools change, and no recent call." : `${parts.join(", ")}.`;
}
