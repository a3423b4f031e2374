"use client";

import { useQuery } from "@tanstack/react-query";
import { request } from "@/components/resource/request";
import { CountWaiting } from "@/components/ui/count-waiting";

/** How often what waits is counted again, in milliseconds. */
const POLL_MS = 60_000;

/** The number of tools that wait for review, shown in the navigation; hidden at zero. */
export function DriftCount() {
  const { data: count = 0 } = useQuery({
    queryKey: ["drift", "count"],
    queryFn: ({ signal }) => request<{ total: number }>("/api/admin/drift?decision=pending&limit=1", { signal }),
    select: (page) => page.total,
    refetchInterval: POLL_MS,
  });
  return <CountWaiting count={count} />;
}
