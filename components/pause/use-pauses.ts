"use client";

import { useQuery } from "@tanstack/react-query";
import { request } from "@/components/resource/request";
import type { PauseRow } from "@/lib/resources/pause";

/** Milliseconds between two polls for pauses on an idle page. */
const POLL_MS = 15_000;

/** The pauses in force; none while loading. */
export function usePauses(): readonly PauseRow[] {
  const pauses = useQuery({
    queryKey: ["pause"],
    queryFn: ({ signal }) => request<{ items: readonly PauseRow[] }>("/api/admin/pause", { signal }),
    refetchInterval: POLL_MS,
  });
  return pauses.data?.items ?? [];
}
