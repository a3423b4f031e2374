"use client";

import { useQuery } from "@tanstack/react-query";
import { request } from "@/components/resource/request";
import type { ExecutionRow } from "@/lib/contracts/log/execution";
import type { Page } from "@/lib/contracts/changes/list";

/** The newest calls that fit some of the log's filters, and how many there are. */
export function useLatestCalls(filters: Readonly<Record<string, string>>, limit: number) {
  const search = new URLSearchParams({ ...filters, limit: String(limit) });
  return useQuery({
    queryKey: ["executions", "latest", search.toString()],
    queryFn: ({ signal }) => request<Page<ExecutionRow>>(`/api/admin/executions?${search}`, { signal }),
    staleTime: 0,
  });
}
