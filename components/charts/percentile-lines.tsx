import type { Route } from "next";
import { milliseconds } from "@/components/charts/milliseconds";
import { Plot } from "@/components/charts/plot";
import { niceEnd } from "@/components/charts/scale";
import { cn } from "@/components/ui/cn";
import { Link } from "@/components/ui/link";
import type { Percentiles } from "@/lib/contracts/changes/overview";

/** The lines from top to bottom; they never cross. Dashes distinguish the two lines of one hue. */
export const PERCENTILES = [
  { key: "p99", label: "p99", fill: "bg-warn", stroke: "stroke-warn", dashes: undefined },
  { key: "p95", label: "p95", fill: "bg-accent/60", stroke: "stroke-accent/60", dashes: "5 3" },
  { key: "p50", label: "p50", fill: "bg-accent", stroke: "stroke-accent", dashes: undefined },
] as const;

interface PercentileLinesProps {
  /** The start of each bucket (ISO 8601) and its measurements. */
  buckets: readonly { readonly at: string; readonly measured: Percentiles }[];
  stepMs: number;
  onHover: (index: number | null) => void;
  hrefOf: (index: number) => string;
}

/** The durations of calls over time. Buckets without a measurement have no line. */
export function PercentileLines({ buckets, stepMs, onHover, hrefOf }: PercentileLinesProps) {
  const end = niceEnd(Math.max(0, ...buckets.map(({ measured }) => measured?.p99 ?? 0)));
  return (
    <Plot starts={buckets.map(({ at }) => at)} stepMs={stepMs} end={milliseconds(end)} middle={milliseconds(end / 2)}>
      <svg
        aria-hidden
        viewBox={`0 0 ${buckets.length} 1`}
        preserveAspectRatio="none"
        className="absolute inset-0 size-full overflow-visible"
      >
        {PERCENTILES.map(({ key, stroke, dashes }) => {
          const heights = buckets.map(({ measured }) => (measured === null ? null : 1 - measured[key] / end));
          return (
            <g key={key} className={cn("fill-none", stroke)} strokeLinejoin="round" strokeLinecap="round">
              <path d={pathOf(heights)} strokeWidth={1.5} strokeDasharray={dashes} vectorEffect="non-scaling-stroke" />
              <path d={dotsOf(heights)} strokeWidth={5} vectorEffect="non-scaling-stroke" />
            </g>
          );
        })}
      </svg>
      <div aria-hidden className="absolute inset-0 flex" onPointerLeave={() => onHover(null)}>
        {buckets.map(({ at, measured }, index) => (
          <div key={at} className="relative min-w-0 flex-1 hover:bg-muted/10" onPointerEnter={() => onHover(index)}>
            {measured !== null && <Link tabIndex={-1} href={hrefOf(index) as Route} className="absolute inset-0" />}
          </div>
        ))}
      </div>
    </Plot>
  );
}

type Heights = readonly (number | null)[];

/** A line through the middle of every measured bucket. */
function pathOf(heights: Heights): string {
  return heights
    .map((height, index) => {
      if (height === null) return "";
      return `${(heights[index - 1] ?? null) === null ? "M" : "L"}${index + 0.5} ${height}`;
    })
    .join("");
}

/** A measured bucket between two unmeasured ones. It needs a dot, because no line would show it. */
function dotsOf(heights: Heights): string {
  const has = (index: number) => (heights[index] ?? null) !== null;
  return heights
    .map((height, index) =>
      height === null || has(index - 1) || has(index + 1) ? "" : `M${index + 0.5} ${height}h0.001`,
    )
    .join("");
}
