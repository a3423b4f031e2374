"use client";

import { useSyncExternalStore } from "react";
import { Badge, type Tone } from "@/components/ui/badge";
import type { ApprovalRow } from "@/lib/resources/approval";

const TONES: Readonly<Record<ApprovalRow["status"], Tone>> = {
  waiting: "accent",
  approved: "allow",
  refused: "deny",
  expired: "warn",
  cancelled: "neutral",
};

/** Where an approval stands. */
export function ApprovalBadge({ status }: { status: ApprovalRow["status"] }) {
  return <Badge tone={TONES[status]}>{status}</Badge>;
}

/** Minutes and seconds until a moment; what is over says so. */
export function Countdown({ until }: { until: string }) {
  const now = useSyncExternalStore(everySecond, currentSecond, () => null);
  const left = now === null ? null : Math.ceil((Date.parse(until) - now) / 1000);
  return (
    <span role="timer" className="whitespace-nowrap tabular-nums">
      {left === null ? "…" : left <= 0 ? "time is up" : `${clock(left)} left`}
    </span>
  );
}

function clock(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return hours === 0 ? rest : `${hours}:${rest}`;
}

function everySecond(tell: () => void): () => void {
  const timer = setInterval(tell, 1000);
  return () => clearInterval(timer);
}

function currentSecond(): number {
  return Math.floor(Date.now() / 1000) * 1000;
}
