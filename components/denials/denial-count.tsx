import { useQuery } from "@tanstack/react-query";
import { request } from "@/components/resource/request";
import { CountWaiting } from "@/components/shell/count-waiting";
import type { DenialRow } from "@/lib/contracts/decisions/denial";
import type { Page } from "@/lib/contracts/changes/list";

/** Milliseconds between two counts. */
const POLL_MS = 15_000;
const DAY_MS = 24 * 3_600_000;

/** The number of unhandled kinds of refusal in the last 24 hours, shown in the navigation; hidden at zero. */
export function DenialCount() {
  const { data: count = 0 } = useQuery({
    queryKey: ["denials", "count"],
    queryFn: ({ signal }) => {
      const search = new URLSearchParams({ from: new Date(Date.now() - DAY_MS).toISOString(), limit: "1" });
      return request<Page<DenialRow>>(`/api/admin/denials?${search}`, { signal });
    },
    select: (page) => page.total,
    refetchInterval: POLL_MS,
  });
  return <CountWaiting count={count} what="kinds of the last 24 hours" />;
}
