"use client";

import { useQuery } from "@tanstack/react-query";
import { request } from "@/components/resource/request";
import type { Me } from "@/lib/contracts/people/me";

/** Who is signed in, by name; `undefined` until it is known. */
export function useMe(): Me | undefined {
  return useQuery({
    queryKey: ["me"],
    queryFn: ({ signal }) => request<Me>("/api/admin/me", { signal }),
    staleTime: "static",
  }).data;
}
