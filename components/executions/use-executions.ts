"use client";

import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { request } from "@/components/resource/request";
import type { ExecutionDetail, ExecutionRow } from "@/lib/resources/execution";
import type { Page } from "@/lib/resources/list";

/** The log under these filters, newest first, page by page. */
export function useExecutions(filters: Readonly<Record<string, string>>) {
  const list = useInfiniteQuery({
    queryKey: ["executions", "list", filters],
    queryFn: ({ pageParam, signal }) => {
      const search = new URLSearchParams({ ...filters, ...(pageParam === null ? {} : { cursor: pageParam }) });
      return request<Page<ExecutionRow>>(`/api/admin/executions?${search}`, { signal });
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const rows = list.data?.pages.flatMap((page) => page.items) ?? [];
  return { ...list, rows, total: list.data?.pages[0]?.total ?? null };
}

/** One execution, with its bodies where the role may read them. */
export function useExecution(callId: string) {
  return useQuery({
    queryKey: ["executions", "row", callId],
    queryFn: ({ signal }) =>
      request<ExecutionDetail>(`/api/admin/executions/${encodeURIComponent(callId)}`, { signal }),
    // Opening bodies is itself logged: look once, not at every focus.
    refetchOnWindowFocus: false,
  });
}
