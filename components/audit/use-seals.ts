import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useGet } from "@/components/resource/use-get";
import { adminPath, Problem, request } from "@/components/resource/request";
import type { ExecutionProof, SealStatus, VerifyOutput } from "@/lib/contracts/log/seal";

/** Milliseconds between two polls of the log's state. Rows are sealed every second. */
const POLL_MS = 5_000;
const STATUS = ["executions", "seals"] as const;

/** The state of the log's seals. Disabled for roles that may not verify it. */
export function useSeals(enabled: boolean) {
  return useGet<SealStatus>(STATUS, "/api/admin/executions/seals", {
    refetchInterval: POLL_MS,
    enabled,
  });
}

/** Verifies the whole log on demand. */
export function useVerify() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => request<VerifyOutput>("/api/admin/executions/verify"),
    onSettled: () => client.invalidateQueries({ queryKey: STATUS }),
  });
}

/** Whether a call's rows are sealed and match their seal. */
type CallSeal = { readonly is: "sealed"; readonly seal: number } | { readonly is: "waiting" | "altered" };

/** The seal of one call. Polls until the call is sealed. */
export function useCallSeal(callId: string, enabled: boolean) {
  return useQuery({
    queryKey: ["executions", "proof", callId],
    queryFn: async ({ signal }): Promise<CallSeal> => {
      try {
        const proof = await request<ExecutionProof>(adminPath("executions", callId, "proof"), {
          signal,
        });
        return { is: "sealed", seal: proof.records[0]?.seal.number ?? 0 };
      } catch (error) {
        if (error instanceof Problem && error.status === 404) return { is: "waiting" };
        if (error instanceof Problem && error.status === 409) return { is: "altered" };
        throw error;
      }
    },
    refetchInterval: ({ state }) => (state.data?.is === "waiting" ? POLL_MS : false),
    enabled,
  });
}
