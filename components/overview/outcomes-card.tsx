import { useState } from "react";
import { ChartCard, Legend } from "@/components/charts/chart-card";
import { OutcomeBars } from "@/components/charts/outcome-bars";
import { OutcomeTable } from "@/components/charts/outcome-table";
import { OUTCOMES, outcomesInWords, type Outcome } from "@/components/charts/outcomes";
import { spanInWords } from "@/components/charts/time-words";
import { bucketTime, logHref } from "@/components/overview/use-overview";
import { useZone } from "@/components/ui/zone";
import type { OverviewBucket, OverviewOutput } from "@/lib/contracts/changes/overview";

/** The outcomes of calls over time. */
export function Outcomes({ overview, stale }: { overview: OverviewOutput; stale: boolean }) {
  const { buckets, stepMs, total } = overview;
  const zone = useZone();
  const [hovered, setHovered] = useState<number | null>(null);
  const bucket = hovered === null ? undefined : buckets[hovered];
  const hrefOf = ({ at }: Pick<OverviewBucket, "at">, outcome: Outcome | null) =>
    logHref({ ...bucketTime(at, stepMs), status: outcome?.status ?? null });
  return (
    <ChartCard
      title="Outcomes"
      stale={stale}
      legend={
        <Legend
          items={OUTCOMES.filter(({ key }) => total[key] > 0)}
          summary={
            bucket === undefined
              ? null
              : `${spanInWords(Date.parse(bucket.at), Date.parse(bucket.at) + stepMs, zone)} · ${outcomesInWords(bucket)}`
          }
        />
      }
      chart={<OutcomeBars buckets={buckets} stepMs={stepMs} onHover={setHovered} hrefOf={hrefOf} />}
      table={<OutcomeTable buckets={buckets} stepMs={stepMs} hrefOf={hrefOf} />}
    />
  );
}
