import { useState } from "react";
import { ChartCard, Legend } from "@/components/charts/chart-card";
import { milliseconds } from "@/components/charts/milliseconds";
import { PercentileLines, PERCENTILES } from "@/components/charts/percentile-lines";
import { spanInWords } from "@/components/charts/time-words";
import { bucketTime, logHref } from "@/components/overview/use-overview";
import { Headers, Table, Td } from "@/components/ui/table";
import { TextLink } from "@/components/ui/text-link";
import { useZone } from "@/components/ui/zone";
import type { OverviewOutput, Percentiles } from "@/lib/contracts/changes/overview";

interface LatencyProps {
  title: string;
  part: "gateway" | "upstream";
  overview: OverviewOutput;
  stale: boolean;
}

/** The durations of the gateway's or of the tools' work over time. */
export function Latency({ title, part, overview, stale }: LatencyProps) {
  const { stepMs } = overview;
  const zone = useZone();
  const buckets = overview.buckets.map((bucket) => ({ at: bucket.at, measured: bucket[part] }));
  const [hovered, setHovered] = useState<number | null>(null);
  const bucket = hovered === null ? undefined : buckets[hovered];
  const spanOf = (at: string) => spanInWords(Date.parse(at), Date.parse(at) + stepMs, zone);
  const hrefOf = (at: string) => logHref(bucketTime(at, stepMs));
  const measured = buckets.filter((each) => each.measured !== null).toReversed();
  return (
    <ChartCard
      title={title}
      stale={stale}
      legend={
        <Legend
          items={PERCENTILES}
          summary={bucket === undefined ? null : `${spanOf(bucket.at)} · ${inWords(bucket.measured)}`}
        />
      }
      chart={
        <PercentileLines
          buckets={buckets}
          stepMs={stepMs}
          onHover={setHovered}
          hrefOf={(index) => hrefOf(buckets[index]?.at ?? "")}
        />
      }
      table={
        <Table label={title}>
          <Headers of={["Time", ...PERCENTILES.map(({ label }) => [label, "text-right"] as const)]} />
          <tbody className="tabular-nums">
            {measured.map(({ at, measured: figures }) => (
              <tr key={at}>
                <Td className="whitespace-nowrap">
                  <TextLink href={hrefOf(at)}>{spanOf(at)}</TextLink>
                </Td>
                {PERCENTILES.map(({ key }) => (
                  <Td key={key} className="text-right">
                    {figures === null ? "—" : milliseconds(figures[key])}
                  </Td>
                ))}
              </tr>
            ))}
          </tbody>
        </Table>
      }
    />
  );
}

function inWords(figures: Percentiles): string {
  if (figures === null) return "no data";
  return PERCENTILES.map(({ key, label }) => `${label} ${milliseconds(figures[key])}`).join(", ");
}
