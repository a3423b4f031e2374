import { counted } from "@/components/ui/counted";
import type { FlowImpactOutput, FlowImpactResult } from "@/lib/contracts/decisions/flow-impact";

/** A replay in one sentence: "Would have stopped 14 of 9,210 calls in 30 days". */
export function flowImpactInWords({ calls, stopped, waiting, allowed }: FlowImpactResult, days: number): string {
  const of = `${counted(calls, "call")} in ${counted(days, "day")}`;
  if (calls === 0) return `No calls in ${counted(days, "day")}`;
  const number = ({ count }: FlowImpactResult["stopped"]) => count.toLocaleString("en");
  const parts = [
    ...(stopped.count > 0 ? [`stopped ${number(stopped)}`] : []),
    ...(waiting.count > 0 ? [`sent ${number(waiting)} to a person for approval`] : []),
    ...(allowed.count > 0 ? [`newly allowed ${number(allowed)}`] : []),
  ];
  const [first = "stopped none", ...others] = parts;
  return `Would have ${[`${first} of ${of}`, ...others].join(", and ")}`;
}

/** How far a replay is. */
export function progressInWords({ replay, days }: FlowImpactOutput): string {
  if (replay.state !== "running" || replay.total === 0) return `Checking the calls of ${days} days…`;
  return `Checking ${replay.done.toLocaleString("en")} of ${counted(replay.total, "call")}…`;
}
