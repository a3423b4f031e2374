"use client";

import { useSyncExternalStore } from "react";
import { Tooltip } from "@/components/ui/tooltip";

interface TimeProps {
  /** ISO 8601. */
  at: string;
}

/** A moment: relative to read, exact (local and UTC) on hover and focus. */
export function Time({ at }: TimeProps) {
  const now = useSyncExternalStore(everyHalfMinute, currentHalfMinute, () => null);
  const date = new Date(at);
  return (
    <Tooltip
      content={
        <span className="grid grid-cols-[auto_1fr] gap-x-2 tabular-nums">
          <span className="text-faint">Local</span>
          <span>{local(date)}</span>
          <span className="text-faint">UTC</span>
          <span>{date.toISOString()}</span>
        </span>
      }
    >
      <time dateTime={at} tabIndex={0} className="rounded-sm whitespace-nowrap tabular-nums">
        {now === null ? date.toISOString().slice(0, 16).replace("T", " ") : relative(date.getTime() - now)}
      </time>
    </Tooltip>
  );
}

const STEP = 30_000;
const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_557_600_000],
  ["month", 2_629_800_000],
  ["week", 604_800_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

const words = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });

function relative(difference: number): string {
  for (const [unit, length] of UNITS)
    if (Math.abs(difference) >= length) return words.format(Math.trunc(difference / length), unit);
  return difference > STEP ? "in a moment" : "just now";
}

function local(date: Date): string {
  return date.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" });
}

function everyHalfMinute(tell: () => void): () => void {
  const timer = setInterval(tell, STEP);
  return () => clearInterval(timer);
}

/** Rounded up, so that nothing lies in the future by rounding. */
function currentHalfMinute(): number {
  return Math.ceil(Date.now() / STEP) * STEP;
}
