import { keepPreviousData } from "@tanstack/react-query";
import { useGet } from "@/components/resource/use-get";
import { Legend } from "@/components/charts/chart-card";
import { OutcomeBars } from "@/components/charts/outcome-bars";
import { OUTCOMES, outcomesInWords } from "@/components/charts/outcomes";
import { spanInWords } from "@/components/charts/time-words";
import { useBrush } from "@/components/charts/use-brush";
import { cn } from "@/components/ui/cn";
import { Skeleton } from "@/components/ui/skeleton";
import { useZone } from "@/components/ui/zone";
import type { ExecutionHistogram, OutcomeCounts } from "@/lib/contracts/log/histogram";

/** Milliseconds between two polls of the histogram. */
const POLL_MS = 30_000;

/** The height in every state. The histogram loads after the list and must not move a button under a click. */
const FRAME = "mx-5 mb-3 h-[6.875rem] shrink-0";

interface LogHistogramProps {
  /** The filters of the list below. */
  apiQuery: Readonly<Record<string, string>>;
  onTimes: (from: string, to: string) => void;
}

/** The calls of the list over time. Dragging over a part of it, or choosing one with the keys, narrows the list to it. */
export function LogHistogram({ apiQuery, onTimes }: LogHistogramProps) {
  const histogram = useGet<ExecutionHistogram>(
    ["executions", "histogram", apiQuery],
    `/api/admin/executions/histogram?${new URLSearchParams(apiQuery)}`,
    {
      placeholderData: keepPreviousData,
      refetchInterval: POLL_MS,
    },
  );
  // The list reports errors of the filters.
  if (histogram.isError) return <div className={FRAME} />;
  if (histogram.isPending) return <Skeleton className={FRAME} />;
  return <Picture histogram={histogram.data} stale={histogram.isPlaceholderData} onTimes={onTimes} />;
}

interface PictureProps {
  histogram: ExecutionHistogram;
  stale: boolean;
  onTimes: LogHistogramProps["onTimes"];
}

function Picture({ histogram: { buckets, stepMs, from, to }, stale, onTimes }: PictureProps) {
  const zone = useZone();
  const startOf = (index: number) => Date.parse(buckets[index]?.at ?? from);
  const brush = useBrush(buckets.length, (first, last) => {
    // The first bucket may begin before the chart's time range, but calls before the range are not counted.
    const start = Math.max(startOf(first), Date.parse(from));
    const end = Math.min(startOf(last) + stepMs, Math.ceil(Date.parse(to)));
    onTimes(new Date(start).toISOString(), new Date(end).toISOString());
  });
  const [first, last] = brush.covered ?? (brush.at === null ? [null, null] : [brush.at, brush.at]);
  const summary =
    first === null
      ? null
      : `${spanInWords(startOf(first), startOf(last) + stepMs, zone)} · ${outcomesInWords(sumOf(buckets.slice(first, last + 1)))}`;
  const all = sumOf(buckets);
  // The list already shows that there are no calls.
  if (OUTCOMES.every(({ key }) => all[key] === 0)) return <div className={FRAME} />;
  return (
    <div className={cn("px-5 pb-3 transition-opacity", stale && "opacity-55")}>
      <div className="mb-2 flex h-4 justify-end">
        <Legend items={OUTCOMES.filter(({ key }) => all[key] > 0)} summary={summary} />
      </div>
      <OutcomeBars buckets={buckets} stepMs={stepMs} compact>
        <div
          role="slider"
          tabIndex={0}
          aria-label="Calls over time: arrow keys select, Shift extends, Enter filters the list"
          aria-valuemin={0}
          aria-valuemax={buckets.length - 1}
          aria-valuenow={brush.at ?? buckets.length - 1}
          aria-valuetext={summary ?? `${spanInWords(Date.parse(from), Date.parse(to), zone)} · ${outcomesInWords(all)}`}
          className="absolute inset-0 cursor-crosshair touch-none"
          {...brush.handlers}
        >
          {first !== null && (
            <span
              className={cn(
                "absolute inset-y-0 border-x border-accent/60 bg-accent/15",
                brush.covered === null && "border-transparent bg-muted/10",
              )}
              style={{
                left: `${(first / buckets.length) * 100}%`,
                width: `${((last - first + 1) / buckets.length) * 100}%`,
              }}
            />
          )}
        </div>
      </OutcomeBars>
    </div>
  );
}

function sumOf(counts: readonly OutcomeCounts[]): OutcomeCounts {
  const sum = (key: keyof OutcomeCounts) => counts.reduce((total, bucket) => total + bucket[key], 0);
  return {
    succeeded: sum("succeeded"),
    failed: sum("failed"),
    denied: sum("denied"),
    cancelled: sum("cancelled"),
    open: sum("open"),
  };
}
