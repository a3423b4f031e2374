import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { rangeMs, RANGES, type RangeName } from "@/components/resource/filters/ranges";
import { request } from "@/components/resource/request";
import type { OverviewOutput } from "@/lib/contracts/changes/overview";

/** Milliseconds between two polls of an open overview. */
const POLL_MS = 30_000;

/** The selected time range, stored in the URL. */
export function useRange(): readonly [RangeName, (range: RangeName) => void] {
  const names = parseAsStringLiteral(RANGES.map(({ value }) => value)).withDefault("day");
  const [range, setRange] = useQueryState("range", names.withOptions({ history: "push" }));
  return [range, (next) => void setRange(next)];
}

/** The calls of a range that ends now. Shows the old figures while new ones load. */
export function useOverview(range: RangeName) {
  return useQuery({
    queryKey: ["overview", range],
    queryFn: ({ signal }) => {
      const now = Date.now();
      const search = new URLSearchParams({
        from: new Date(now - (rangeMs(range) ?? 0)).toISOString(),
        to: new Date(now).toISOString(),
      });
      return request<OverviewOutput>(`/api/admin/overview?${search}`, { signal });
    },
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
  });
}

/** The address of the log with the calls behind a figure; a `null` filter is left out. */
export function logHref(filters: Readonly<Record<string, string | null>>): string {
  const set = Object.entries(filters).filter((filter): filter is [string, string] => filter[1] !== null);
  return `/admin/executions?${new URLSearchParams(set)}`;
}

/** The filters of one bucket's time. */
export function bucketTime(at: string, stepMs: number): { from: string; to: string } {
  return { from: at, to: new Date(Date.parse(at) + stepMs).toISOString() };
}
