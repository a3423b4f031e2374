import { infiniteQueryOptions, type QueryKey } from "@tanstack/react-query";
import { request } from "@/components/resource/request";
import type { Page } from "@/lib/contracts/changes/list";

/** The query that reads a list of the admin API, one page after the other. */
export function pageQuery<T>(queryKey: QueryKey, path: `/api/${string}`, query: Readonly<Record<string, string>> = {}) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => {
      const search = new URLSearchParams({ ...query, ...(pageParam !== null && { cursor: pageParam }) });
      return request<Page<T>>(`${path}${search.size === 0 ? "" : `?${search}`}`, { signal });
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  });
}
