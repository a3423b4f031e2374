import type { Comparison } from "@/lib/access/impact/impact";
import type { LoggedCaller } from "@/lib/access/impact/request";
import type { Parts } from "@/lib/access/model/parts";

/** One caller and tool of the window, which represents every equal call. */
export interface Representative {
  /** `null` when the claims are erased or no key opens them. */
  readonly caller: LoggedCaller | null;
  /** The agent, or the subject without one. */
  readonly who: string;
  readonly toolId: string;
  readonly calls: number;
}

/** Calls of one caller and tool that a candidate decides differently. */
interface Exception {
  readonly who: string;
  readonly toolId: string;
  readonly calls: number;
  /** `refused`: the calls would be refused. `allowed`: calls that are refused now would be allowed. */
  readonly change: "refused" | "allowed";
  readonly reason: string;
}

/** What a candidate does to the calls of a window. */
export interface ReplayResult {
  readonly calls: number;
  /** Calls with the same decision. */
  readonly same: number;
  /** Calls whose decision depends on arguments or claims that are not stored. */
  readonly notJudged: number;
  /** Most calls first. */
  readonly exceptions: readonly Exception[];
}

/**
 * Decides every representative on both sides of a comparison.
 * @param onProgress receives the number of representatives that are done
 */
export function* replayCalls(
  comparison: Pick<Comparison, "call">,
  representatives: readonly Representative[],
  onProgress: (done: number) => void = () => {},
): Parts<ReplayResult> {
  const exceptions: Exception[] = [];
  let [calls, same, notJudged] = [0, 0, 0];
  for (const [number, { caller, who, toolId, calls: count }] of representatives.entries()) {
    yield;
    onProgress(number + 1);
    calls += count;
    const change =
      caller === null
        ? ({ kind: "undecided" } as const)
        : comparison.call({ caller, toolId, denied: false, arguments: null });
    if (change.kind === "same") same += count;
    else if (change.kind === "undecided") notJudged += count;
    else exceptions.push({ who, toolId, calls: count, change: change.kind, reason: change.why.reason });
  }
  return { calls, same, notJudged, exceptions: exceptions.toSorted((left, right) => right.calls - left.calls) };
}
