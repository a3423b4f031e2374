import type { ComponentProps } from "react";
import { Card } from "@/components/charts/chart-card";
import { milliseconds } from "@/components/charts/milliseconds";
import { logHref } from "@/components/overview/use-overview";
import type { RangeName } from "@/components/resource/filters/ranges";
import { Headers, Table, Td } from "@/components/ui/table";
import { TextLink } from "@/components/ui/text-link";
import { SourceHealthBadge, useSourceHealth } from "@/components/views/sources/source-syncs";
import type { OverviewOutput } from "@/lib/contracts/changes/overview";

interface UpstreamsProps {
  sources: OverviewOutput["sources"];
  range: RangeName;
  stale: boolean;
}

/** The health of the sources with the most calls, and of those with problems. */
export function Upstreams({ sources, range, stale }: UpstreamsProps) {
  const { data: health } = useSourceHealth();
  const called = new Set(sources.map(({ source }) => source));
  const failing = [...(health?.syncs.values() ?? [])]
    .filter(({ failures }) => failures > 0)
    .map(({ source }) => source);
  const troubled = [...new Set([...failing, ...(health?.breakers.keys() ?? [])])].filter((name) => !called.has(name));
  return (
    <Card title="Upstream health" stale={stale}>
      {sources.length === 0 && troubled.length === 0 ? (
        <p className="py-6 text-center text-sm text-muted">No calls to sources in this time range</p>
      ) : (
        <Table label="Upstream health" className="-mt-1">
          <Headers of={["Source", "Health", ["Sent", "text-right"], ["Failed", "text-right"], ["p95", "text-right"]]} />
          <tbody className="tabular-nums">
            {sources.map(({ source, calls, failed, failedUpstream, upstream }) => (
              <tr key={source}>
                <NameCell source={source} called={{ calls, failed: failedUpstream }} />
                <Td className="text-right">
                  <TextLink href={logHref({ source, range })}>{calls.toLocaleString("en")}</TextLink>
                </Td>
                <Td className="text-right">
                  {failed === 0 ? (
                    <span className="text-faint">0</span>
                  ) : (
                    <TextLink href={logHref({ source, status: "failed", range })}>
                      {failed.toLocaleString("en")}
                    </TextLink>
                  )}
                </Td>
                <Td className="text-right whitespace-nowrap">{upstream === null ? "—" : milliseconds(upstream.p95)}</Td>
              </tr>
            ))}
            {troubled.map((source) => (
              <tr key={source}>
                <NameCell source={source} />
                <Td className="text-right text-faint">0</Td>
                <Td className="text-right text-faint">0</Td>
                <Td className="text-right">—</Td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      {sources.length > 0 && (
        <p className="mt-2 text-xs text-muted">
          Only calls that were sent to the source count. The linked lists also show calls that were not sent.
        </p>
      )}
    </Card>
  );
}

function NameCell({ source, called }: ComponentProps<typeof SourceHealthBadge>) {
  return (
    <>
      <Td className="w-1/2 max-w-0 max-sm:max-w-none">
        <TextLink href={`/admin/sources/${encodeURIComponent(source)}`} className="block whitespace-nowrap sm:truncate">
          {source}
        </TextLink>
      </Td>
      <Td>
        <SourceHealthBadge source={source} {...(called !== undefined && { called })} />
      </Td>
    </>
  );
}
