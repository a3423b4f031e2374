import { RefreshCw } from "lucide-react";
import { RulesAttention } from "@/components/findings/rules-attention";
import { GettingStarted } from "@/components/onboarding/getting-started";
import { DemoNote, useDemo } from "@/components/overview/demo-note";
import { Figures } from "@/components/overview/figures";
import { Latency } from "@/components/overview/latency";
import { Outcomes } from "@/components/overview/outcomes-card";
import { TopRefusals } from "@/components/overview/top-refusals";
import { Upstreams } from "@/components/overview/upstreams";
import { useOverview, useRange } from "@/components/overview/use-overview";
import { ProblemNote } from "@/components/resource/problem-note";
import { RANGES } from "@/components/resource/filters/ranges";
import { IconButton } from "@/components/ui/button";
import { Segmented } from "@/components/ui/forms/segmented";
import { Skeleton } from "@/components/ui/skeleton";

const CHOICES = RANGES.map(({ value, label }) => ({ value, label: label.replace(/^Last (?=\d)/, "") }));

/** The calls of a time range: counts, outcomes, durations and refusals, each figure linked to its calls. */
export function OverviewScreen() {
  const [range, setRange] = useRange();
  const overview = useOverview(range);
  const { data, isPlaceholderData: stale } = overview;
  // Also waits for the demo's row count: a note that appears later would push the figures down.
  const demo = useDemo();
  if (overview.isPending || demo.isPending) return <OverviewSkeleton />;
  if (data?.used === false)
    return (
      <div className="flex flex-col">
        <div className="mx-auto w-full max-w-5xl px-5 pt-5">
          <DemoNote />
        </div>
        <GettingStarted />
      </div>
    );
  return (
    <div className="flex flex-col gap-4 p-5">
      <div className="flex flex-wrap items-center gap-2">
        <h1 className="sr-only">Overview</h1>
        <Segmented label="Time" value={range} onChange={setRange} options={CHOICES} />
        <IconButton icon={RefreshCw} label="Refresh" title="Refresh" onClick={() => void overview.refetch()} />
        <RulesAttention className="ml-auto" />
      </div>
      <DemoNote />
      {data === undefined ? (
        <ProblemNote error={overview.error} onRetry={() => void overview.refetch()} />
      ) : (
        <>
          <Figures total={data.total} range={range} stale={stale} />
          <Outcomes overview={data} stale={stale} />
          <div className="grid gap-4 lg:grid-cols-2">
            <Latency title="Gateway latency" part="gateway" overview={data} stale={stale} />
            <Latency title="Upstream latency" part="upstream" overview={data} stale={stale} />
            <TopRefusals refusals={data.refusals} range={range} stale={stale} />
            <Upstreams sources={data.sources} range={range} stale={stale} />
          </div>
        </>
      )}
    </div>
  );
}

function OverviewSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-4 p-5">
      <Skeleton className="h-8 w-80" />
      <div className="grid grid-cols-2 gap-4 lg:grid-cols-4">
        {[0, 1, 2, 3].map((index) => (
          <Skeleton key={index} className="h-[5.75rem] rounded-lg" />
        ))}
      </div>
      <Skeleton className="h-64 rounded-lg" />
      <div className="grid gap-4 lg:grid-cols-2">
        <Skeleton className="h-64 rounded-lg" />
        <Skeleton className="h-64 rounded-lg" />
      </div>
    </div>
  );
}
