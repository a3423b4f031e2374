"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Problem, request } from "@/components/resource/request";
import type { ExecutionProof, SealStatus, VerifyOutput } from "@/lib/contracts/log/seal";

/** How often it is asked how the log stands, in milliseconds: rows are sealed each second. */
const AGAIN_MS = 5_000;
const STATUS = ["executions", "seals"] as const;

/** How the log stands; not asked by whoever may not verify it. */
export function useSeals(enabled: boolean) {
  return useQuery({
    queryKey: STATUS,
    queryFn: ({ signal }) => request<SealStatus>("/api/admin/executions/seals", { signal }),
    refetchInterval: AGAIN_MS,
    enabled,
  });
}

/** Verifies the whole log when it is told to. */
export function useVerify() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => request<VerifyOutput>("/api/admin/executions/verify"),
    onSettled: () => client.invalidateQueries({ queryKey: STATUS }),
  });
}

/** Whether a call's rows are sealed, and are what was sealed. */
export type CallSeal = { readonly is: "sealed"; readonly seal: number } | { readonly is: "waiting" | "altered" };

/** One call's seal; a call that is not sealed yet is asked for again. */
export function useCallSeal(callId: string, enabled: boolean) {
  return useQuery({
    queryKey: ["executions", "proof", callId],
    queryFn: async ({ signal }): Promise<CallSeal> => {
      try {
        const proof = await request<ExecutionProof>(`/api/admin/executions/${encodeURIComponent(callId)}/proof`, {
          signal,
        });
        return { is: "sealed", seal: proof.records[0]?.seal.number ?? 0 };
      } catch (error) {
        if (error instanceof Problem && error.status === 404) return { is: "waiting" };
        if (error instanceof Problem && error.status === 409) return { is: "altered" };
        throw error;
      }
    },
    refetchInterval: ({ state }) => (state.data?.is === "waiting" ? AGAIN_MS : false),
    enabled,
  });
}
