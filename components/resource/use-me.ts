"use client";

import { useQuery } from "@tanstack/react-query";
import { request } from "@/components/resource/request";
import type { Me } from "@/lib/contracts/people/me";

/** The name of the signed-in person; `undefined` while loading. */
export function useMe(): Me | undefined {
  return useQuery({
    queryKey: ["me"],
    queryFn: ({ signal }) => request<Me>("/api/admin/me", { signal }),
    staleTime: "static",
  }).data;
}
