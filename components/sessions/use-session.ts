"use client";

import { useQuery } from "@tanstack/react-query";
import { request } from "@/components/resource/request";
import type { SessionDetail } from "@/lib/contracts/log/session";

/** One session, with what it was told where the role may read it. */
export function useSession(id: string) {
  return useQuery({
    queryKey: ["sessions", "row", id],
    queryFn: ({ signal }) => request<SessionDetail>(`/api/admin/sessions/${encodeURIComponent(id)}`, { signal }),
    // Reading what it was told is itself logged: look once, not at every focus.
    refetchOnWindowFocus: false,
  });
}
