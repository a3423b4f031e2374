import { useSyncExternalStore } from "react";
import { Tooltip } from "@/components/ui/overlays/tooltip";
import { formatIn, useZone } from "@/components/ui/zone";

interface TimeProps {
  /** ISO 8601. */
  at: string;
  /** Shows the date and the time instead of the distance from now. */
  exact?: boolean;
}

/** A moment: relative to read, exact on hover and focus, by the chosen clock first. */
export function Time({ at, exact = false }: TimeProps) {
  const now = useSyncExternalStore(everyHalfMinute, currentHalfMinute, () => null);
  const zone = useZone();
  const date = new Date(at);
  const utc = (
    <>
      <span className="text-faint">UTC</span>
      <span>{date.toISOString()}</span>
    </>
  );
  return (
    <Tooltip
      content={
        <span className="grid grid-cols-[auto_1fr] gap-x-2 tabular-nums">
          {zone === "utc" && utc}
          <span className="text-faint">Local</span>
          <span>{local(date)}</span>
          {zone === "local" && utc}
        </span>
      }
    >
      <time
        dateTime={at}
        tabIndex={0}
        // Paper has no hover, so the print shows the exact time next to it.
        className="rounded-sm whitespace-nowrap tabular-nums print:whitespace-normal print:after:ml-1 print:after:content-[attr(datetime)]"
      >
        {now === null
          ? date.toISOString().slice(0, 16).replace("T", " ")
          : exact
            ? formatIn(zone, { dateStyle: "medium", timeStyle: "medium" }).format(date)
            : relative(date.getTime() - now)}
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

const words = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

function relative(difference: number): string {
  for (const [unit, length] of UNITS)
    // Future times are rounded, so that a key of 90 days does not expire "in 2 months".
    if (Math.abs(difference) >= length)
      return words.format(difference > 0 ? Math.round(difference / length) : Math.trunc(difference / length), unit);
  return difference > STEP ? "in a moment" : "just now";
}

function local(date: Date): string {
  return date.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" });
}

function everyHalfMinute(onTick: () => void): () => void {
  const timer = setInterval(onTick, STEP);
  return () => clearInterval(timer);
}

/** Rounded up, so that nothing lies in the future by rounding. */
function currentHalfMinute(): number {
  return Math.ceil(Date.now() / STEP) * STEP;
}
