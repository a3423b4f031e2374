"use client";

import { useQuery } from "@tanstack/react-query";
import { request } from "@/components/resource/request";
import type { ResourceName, Row } from "@/lib/resources";

/** One row. Not refetched during an edit: a save reports a conflict. */
export function useRow<R extends ResourceName>(resource: R, id: string) {
  return useQuery({
    queryKey: [resource, "row", id],
    queryFn: ({ signal }) => request<Row<R>>(`/api/admin/${resource}/${encodeURIComponent(id)}`, { signal }),
    refetchOnWindowFocus: false,
  });
}
