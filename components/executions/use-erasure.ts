"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { request } from "@/components/resource/request";
import type { ErasureInput, ErasureOutput } from "@/lib/contracts/log/erasure";

const ADDRESS = "/api/admin/executions/erasure";

/** Counts what an erasure would take. */
export function useErasureCount(whose: ErasureInput) {
  return useQuery({
    queryKey: ["executions", "erasure", whose],
    queryFn: ({ signal }) => request<ErasureOutput>(`${ADDRESS}?dryRun=true`, { method: "POST", body: whose, signal }),
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
}

/** Erases, once. */
export function useErase(onDone: (erased: ErasureOutput) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (whose: ErasureInput) => request<ErasureOutput>(ADDRESS, { method: "POST", body: whose }),
    onSuccess: async (erased) => {
      await client.invalidateQueries({ queryKey: ["executions"] });
      onDone(erased);
    },
  });
}
