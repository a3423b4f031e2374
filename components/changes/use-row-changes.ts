"use client";

import { useQuery } from "@tanstack/react-query";
import { request } from "@/components/resource/request";
import type { ResourceName } from "@/lib/resources";
import type { ChangeRow } from "@/lib/resources/change";
import type { Page } from "@/lib/resources/list";

/** The newest changes of one row. */
export function useRowChanges(resource: ResourceName, id: string, limit: number) {
  const address = new URLSearchParams({ resource, id, limit: String(limit) });
  return useQuery({
    queryKey: ["changes", "of", resource, id, limit],
    queryFn: ({ signal }) => request<Page<ChangeRow>>(`/api/admin/changes?${address}`, { signal }),
  });
}
