"use client";

import { useQuery } from "@tanstack/react-query";
import { request } from "@/components/resource/request";
import type { ResourceName, Row } from "@/lib/resources";

/** One row. It is not asked for again behind a draft's back: a conflict shows at the save. */
export function useRow<R extends ResourceName>(resource: R, id: string) {
  return useQuery({
    queryKey: [resource, "row", id],
    queryFn: ({ signal }) => request<Row<R>>(`/api/admin/${resource}/${encodeURIComponent(id)}`, { signal }),
    refetchOnWindowFocus: false,
  });
}
