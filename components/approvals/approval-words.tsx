import { useSyncExternalStore } from "react";
import { Badge, type Tone } from "@/components/ui/badge";
import { reasonInWords } from "@/components/executions/reason-words";
import { stateInWords } from "@/components/executions/state-words";
import { lowerFirst } from "@/components/ui/text/letter-case";
import type { ApprovalDetail, ApprovalRow } from "@/lib/contracts/log/approval";

const TONES: Readonly<Record<ApprovalRow["status"], Tone>> = {
  waiting: "accent",
  approved: "allow",
  refused: "deny",
  expired: "warn",
  cancelled: "neutral",
};

export function ApprovalBadge({ status }: { status: ApprovalRow["status"] }) {
  return <Badge tone={TONES[status]}>{status}</Badge>;
}

/** Why the rules refuse a call if it is approved now; `null` = they allow it. */
export function refusalInWords({ refusedNow, session }: Pick<ApprovalDetail, "refusedNow" | "session">): string | null {
  if (refusedNow === null) return null;
  const { reason, state } = refusedNow;
  if (reason === "state_mismatch" && session !== null)
    return `The session is now in the state ${stateInWords(state)}, in which the tool is not available.`;
  if (reason === "unauthenticated") return "The caller of this call can no longer sign in.";
  return `The rules no longer allow this call: ${lowerFirst(reasonInWords(reason))}.`;
}

/** The time that is left until a moment, or "time is up". */
export function Countdown({ until }: { until: string }) {
  const now = useSyncExternalStore(subscribeToSeconds, currentSecond, () => null);
  const left = now === null ? null : Math.ceil((Date.parse(until) - now) / 1000);
  return (
    <span role="timer" className="whitespace-nowrap tabular-nums">
      {left === null ? "…" : left <= 0 ? "time is up" : `${inUnits(left)} left`}
    </span>
  );
}

/**
 * `29 days`, `23 h`, `14 min`, and seconds for the last two minutes. Rounds down. Adds half an hour to days and a minute to
 * hours before that, so that a new request still shows its full `30 days`.
 */
function inUnits(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes >= 2 * 24 * 60) return `${Math.floor((minutes + 30) / 60 / 24)} days`;
  if (minutes >= 120) return `${Math.floor((minutes + 1) / 60)} h`;
  return minutes >= 2 ? `${minutes} min` : `${seconds} s`;
}

function subscribeToSeconds(onSecond: () => void): () => void {
  const timer = setInterval(onSecond, 1000);
  return () => clearInterval(timer);
}

function currentSecond(): number {
  return Math.floor(Date.now() / 1000) * 1000;
}
