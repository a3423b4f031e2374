"use client";

import { useQuery } from "@tanstack/react-query";
import { request } from "@/components/resource/request";
import type { PauseRow } from "@/lib/resources/pause";

/** How often a page that is only looked at asks whether something was paused, in milliseconds. */
const ASK_EVERY = 15_000;

/** What is paused now; none while that is not known. */
export function usePauses(): readonly PauseRow[] {
  const pauses = useQuery({
    queryKey: ["pause"],
    queryFn: ({ signal }) => request<{ items: readonly PauseRow[] }>("/api/admin/pause", { signal }),
    refetchInterval: ASK_EVERY,
  });
  return pauses.data?.items ?? [];
}
