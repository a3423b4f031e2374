"use client";

import { useQuery } from "@tanstack/react-query";
import { request } from "@/components/resource/request";
import { CountWaiting } from "@/components/ui/count-waiting";

/** How often what waits is counted again, in milliseconds. */
const AGAIN_MS = 60_000;

/** How many tools wait for review, beside the way to them; nothing while none does. */
export function DriftCount() {
  const { data: count = 0 } = useQuery({
    queryKey: ["drift", "count"],
    queryFn: ({ signal }) => request<{ total: number }>("/api/admin/drift?decision=pending&limit=1", { signal }),
    select: (page) => page.total,
    refetchInterval: AGAIN_MS,
  });
  return <CountWaiting count={count} />;
}
