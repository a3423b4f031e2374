import type { ReactNode } from "react";
import { labelledMarks } from "@/components/charts/scale";
import { tickInWords } from "@/components/charts/time-words";

interface PlotProps {
  /** Where each bucket begins, ISO 8601. */
  starts: readonly string[];
  stepMs: number;
  /** The end of the upright axis, in words; its beginning is 0. */
  end: string;
  /** Its middle. */
  middle: string;
  children: ReactNode;
}

/** The frame of a picture of time: an upright axis that begins at 0, and a clock below. What is in it is decoration: a table says the same. */
export function Plot({ starts, stepMs, end, middle, children }: PlotProps) {
  return (
    <div
      aria-hidden
      className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 text-2xs text-faint tabular-nums select-none"
    >
      <div className="flex flex-col items-end justify-between text-right">
        <span className="-translate-y-1/2">{end}</span>
        <span>{middle}</span>
        <span className="translate-y-1/2">0</span>
      </div>
      <div className="relative h-full min-h-36 border-b border-edge/60">
        <span className="absolute inset-x-0 top-0 border-t border-dashed border-line" />
        <span className="absolute inset-x-0 top-1/2 border-t border-dashed border-line" />
        {children}
      </div>
      <div className="relative col-start-2 mt-1.5 h-4">
        {labelledMarks(starts.length, 8).map((index) => (
          <span
            key={index}
            className="absolute whitespace-nowrap"
            style={{ left: `${(index / starts.length) * 100}%` }}
          >
            {tickInWords(Date.parse(starts[index] ?? ""), stepMs)}
          </span>
        ))}
      </div>
    </div>
  );
}
