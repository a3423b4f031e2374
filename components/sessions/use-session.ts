"use client";

import { useQuery } from "@tanstack/react-query";
import { request } from "@/components/resource/request";
import type { SessionDetail } from "@/lib/contracts/log/session";

/** One session, with the agent's texts if the role may read them. */
export function useSession(id: string) {
  return useQuery({
    queryKey: ["sessions", "row", id],
    queryFn: ({ signal }) => request<SessionDetail>(`/api/admin/sessions/${encodeURIComponent(id)}`, { signal }),
    // The server logs every read of these texts, so do not refetch on focus.
    refetchOnWindowFocus: false,
  });
}
