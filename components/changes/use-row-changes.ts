"use client";

import { useQuery } from "@tanstack/react-query";
import { request } from "@/components/resource/request";
import type { ChangeRow } from "@/lib/contracts/changes/change";
import type { Page } from "@/lib/contracts/changes/list";

/** The newest changes of one row of any kind. */
export function useRowChanges(resource: string, id: string, limit: number) {
  const address = new URLSearchParams({ resource, id, limit: String(limit) });
  return useQuery({
    queryKey: ["changes", "of", resource, id, limit],
    queryFn: ({ signal }) => request<Page<ChangeRow>>(`/api/admin/changes?${address}`, { signal }),
  });
}
