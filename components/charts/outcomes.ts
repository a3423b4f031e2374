import { counted } from "@/components/ui/counted";
import type { ExecutionRow } from "@/lib/contracts/log/execution";
import type { OutcomeCounts } from "@/lib/contracts/log/histogram";

/**
 * How calls end, from the bottom of a bar to its top, in the colours of `StatusBadge`. Failed calls have stripes, so that
 * colour is not the only sign.
 */
export const OUTCOMES = [
  { key: "succeeded", label: "Succeeded", fill: "bg-allow/50", status: "succeeded" },
  {
    key: "failed",
    label: "Failed",
    fill: "bg-warn bg-[repeating-linear-gradient(45deg,var(--canvas)_0_1px,transparent_1px_4px)]",
    status: "failed",
  },
  { key: "denied", label: "Refused", fill: "bg-deny", status: "denied" },
  { key: "cancelled", label: "Cancelled", fill: "bg-edge", status: "cancelled" },
  // Two states in one: the log's filter knows no word for both.
  { key: "open", label: "Open", fill: "bg-line", status: null },
] as const satisfies readonly {
  readonly key: keyof OutcomeCounts;
  readonly label: string;
  readonly fill: string;
  readonly status: ExecutionRow["status"] | null;
}[];

export type Outcome = (typeof OUTCOMES)[number];

/** All calls of a bucket. */
export function callsOf(counts: OutcomeCounts): number {
  return OUTCOMES.reduce((sum, { key }) => sum + counts[key], 0);
}

/** `42 calls: 40 succeeded, 2 refused`; outcomes without calls are left out. */
export function outcomesInWords(counts: OutcomeCounts): string {
  const calls = callsOf(counts);
  const parts = OUTCOMES.filter(({ key }) => counts[key] > 0).map(
    ({ key, label }) => `${counts[key].toLocaleString("en")} ${label.toLowerCase()}`,
  );
  const all = counted(calls, "call");
  return parts.length === 0 ? all : `${all}: ${parts.join(", ")}`;
}
