import type { ReactNode } from "react";
import { labelledMarks } from "@/components/charts/scale";
import { tickInWords } from "@/components/charts/time-words";
import { cn } from "@/components/ui/cn";
import { aheadOf, useZone } from "@/components/ui/zone";

/** A label closer to an edge than this share of the axis would stick out. */
const NEAR_EDGE = 0.03;

interface PlotProps {
  /** The start of each bucket, ISO 8601. */
  starts: readonly string[];
  stepMs: number;
  /** The label at the end of the vertical axis, which begins at 0. */
  end: string;
  /** The label at its middle. */
  middle: string;
  compact?: boolean | undefined;
  children: ReactNode;
}

/** The frame of a chart over time: a vertical axis that begins at 0, and a time axis below. */
export function Plot({ starts, stepMs, end, middle, compact = false, children }: PlotProps) {
  const times = starts.map((start) => Date.parse(start));
  const zone = useZone();
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 text-xs text-faint tabular-nums select-none">
      <div aria-hidden className="flex flex-col items-end justify-between text-right">
        <span className="-translate-y-1/2">{end}</span>
        <span>{middle}</span>
        <span className="translate-y-1/2">0</span>
      </div>
      <div className={cn("relative border-b border-edge/60", compact ? "h-16" : "h-36")}>
        <span className="absolute inset-x-0 top-0 border-t border-dashed border-line" />
        <span className="absolute inset-x-0 top-1/2 border-t border-dashed border-line" />
        {children}
      </div>
      <div aria-hidden className="@container relative col-start-2 mt-1.5 h-4">
        {labelledMarks(times, aheadOf(zone, times[0] ?? 0)).map((index, place) => (
          <span
            key={index}
            className={cn(
              "absolute whitespace-nowrap",
              shiftOf(index / starts.length),
              place % 2 === 1 && "@max-lg:hidden",
            )}
            style={{ left: `${(index / starts.length) * 100}%` }}
          >
            {tickInWords(times[index] ?? 0, stepMs, zone)}
          </span>
        ))}
      </div>
    </div>
  );
}

function shiftOf(share: number): string {
  if (share < NEAR_EDGE) return "";
  return share > 1 - NEAR_EDGE ? "-translate-x-full" : "-translate-x-1/2";
}
