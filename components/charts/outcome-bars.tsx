import type { Route } from "next";
import type { ReactNode } from "react";
import { callsOf, OUTCOMES, type Outcome } from "@/components/charts/outcomes";
import { Plot } from "@/components/charts/plot";
import { evenEnd } from "@/components/charts/scale";
import { cn } from "@/components/ui/cn";
import { Link } from "@/components/ui/link";
import type { OutcomeCounts } from "@/lib/contracts/log/histogram";

/** The calls of one bucket: one part of the time that the chart shows. */
export interface OutcomeBucket extends OutcomeCounts {
  /** The start of the bucket, ISO 8601. */
  readonly at: string;
}

interface OutcomeBarsProps {
  buckets: readonly OutcomeBucket[];
  stepMs: number;
  /** Called with the bucket under the pointer; `null` = none. */
  onHover?: (index: number | null) => void;
  /** Draws at half the height. */
  compact?: boolean;
  /** The link of a segment; outcome `null` = the whole bucket. Absent: segments are no links. */
  hrefOf?: (bucket: OutcomeBucket, outcome: Outcome | null) => string;
  /** Drawn over the bars, such as a selection. */
  children?: ReactNode;
}

/** A bar for each bucket, with a segment for each outcome. */
export function OutcomeBars({ buckets, stepMs, onHover, compact, hrefOf, children }: OutcomeBarsProps) {
  const end = evenEnd(Math.max(...buckets.map(callsOf)));
  return (
    <Plot
      starts={buckets.map(({ at }) => at)}
      stepMs={stepMs}
      end={end.toLocaleString("en")}
      middle={(end / 2).toLocaleString("en")}
      compact={compact}
    >
      <div aria-hidden className="absolute inset-0 flex" onPointerLeave={() => onHover?.(null)}>
        {buckets.map((bucket, index) => (
          <div
            key={bucket.at}
            className="relative flex min-w-0 flex-1 flex-col-reverse px-[0.5px] hover:bg-hover"
            onPointerEnter={() => onHover?.(index)}
          >
            {hrefOf !== undefined && callsOf(bucket) > 0 && (
              <Segment href={hrefOf(bucket, null)} className="absolute inset-0" />
            )}
            {OUTCOMES.filter(({ key }) => bucket[key] > 0).map((outcome) => (
              <Segment
                key={outcome.key}
                href={hrefOf?.(bucket, outcome)}
                className={cn("relative block min-h-0.5 border-t border-canvas forced-color-adjust-none", outcome.fill)}
                height={bucket[outcome.key] / end}
              />
            ))}
          </div>
        ))}
      </div>
      {children}
    </Plot>
  );
}

/** A part of a bar. It is not in the tab order, because `OutcomeTable` has the same links for the keyboard. */
function Segment({ href, height, className }: { href?: string | undefined; height?: number; className: string }) {
  const style = height === undefined ? undefined : { height: `${height * 100}%` };
  if (href === undefined) return <span className={className} style={style} />;
  return <Link tabIndex={-1} draggable={false} href={href as Route} className={className} style={style} />;
}
