import type { OutcomeBucket } from "@/components/charts/outcome-bars";
import { callsOf, OUTCOMES, type Outcome } from "@/components/charts/outcomes";
import { spanInWords } from "@/components/charts/time-words";
import { Headers, Table, Td } from "@/components/ui/table";
import { TextLink } from "@/components/ui/text-link";
import { useZone } from "@/components/ui/zone";

interface OutcomeTableProps {
  buckets: readonly OutcomeBucket[];
  stepMs: number;
  /** The link of a figure; outcome `null` = the whole bucket. */
  hrefOf: (bucket: OutcomeBucket, outcome: Outcome | null) => string;
}

/** The figures of the bars, newest first; steps without a call are left out. */
export function OutcomeTable({ buckets, stepMs, hrefOf }: OutcomeTableProps) {
  const zone = useZone();
  const shown = buckets.filter((bucket) => callsOf(bucket) > 0).toReversed();
  if (shown.length === 0) return <p className="py-6 text-center text-sm text-muted">No calls in this time.</p>;
  return (
    <Table label="Calls over time">
      <Headers of={["Time", ["Calls", "text-right"], ...OUTCOMES.map(({ label }) => [label, "text-right"] as const)]} />
      <tbody className="tabular-nums">
        {shown.map((bucket) => (
          <tr key={bucket.at}>
            <Td className="whitespace-nowrap">
              {spanInWords(Date.parse(bucket.at), Date.parse(bucket.at) + stepMs, zone)}
            </Td>
            <Td className="text-right">
              <TextLink href={hrefOf(bucket, null)}>{callsOf(bucket).toLocaleString("en")}</TextLink>
            </Td>
            {OUTCOMES.map((outcome) => (
              <Td key={outcome.key} className="text-right text-muted">
                {bucket[outcome.key] === 0 ? (
                  "0"
                ) : (
                  <TextLink href={hrefOf(bucket, outcome)}>{bucket[outcome.key].toLocaleString("en")}</TextLink>
                )}
              </Td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
