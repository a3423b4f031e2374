"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Problem, request } from "@/components/resource/request";
import { counted } from "@/components/ui/counted";
import { toast } from "@/components/ui/overlays/toast";
import type { BulkInput, BulkOutput } from "@/lib/contracts/changes/bulk";
import type { ConfigSection } from "@/lib/resources/sections";

function send(section: ConfigSection, body: BulkInput, ifMatch: number | "dryRun", signal?: AbortSignal) {
  const dry = ifMatch === "dryRun";
  return request<BulkOutput>(`/api/admin/bulk/${section}${dry ? "?dryRun=true" : ""}`, {
    method: "POST",
    body,
    ...(!dry && { ifMatch }),
    signal,
  });
}

/** The plan of a change of many rows, with its errors; `null` fetches nothing. */
export function useBulkPlan(section: ConfigSection, body: BulkInput | null) {
  return useQuery({
    queryKey: [section, "bulk", body],
    queryFn: async ({ signal }): Promise<BulkOutput | null> =>
      body === null ? null : await send(section, body, "dryRun", signal),
    enabled: body !== null,
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
}

/** Changes many rows at the planned revision. Offers an undo while nothing else has changed. */
export function useBulk(section: ConfigSection, words: readonly [string, string], onDone: () => void) {
  const client = useQueryClient();
  const undo = async (changed: number) => {
    try {
      await request(`/api/admin/revisions/${changed - 1}/restore`, { method: "POST", ifMatch: changed });
      await client.invalidateQueries({ refetchType: "active" });
    } catch (error) {
      const meanwhile = error instanceof Problem && error.code === "stale";
      toast({
        title: "The change was not undone",
        description: meanwhile
          ? "The configuration has changed since. Restore single rows on the Changes page."
          : String(error instanceof Error ? error.message : error),
        tone: "failed",
      });
    }
  };
  return useMutation({
    mutationFn: ({ body, planned }: { body: BulkInput; planned: BulkOutput }) => send(section, body, planned.revision),
    onSuccess: async ({ changing, revision }, { body }) => {
      toast({
        title: `${body.change.kind === "delete" ? "Deleted" : "Changed"} ${counted(changing, ...words)}`,
        undo: () => void undo(revision),
      });
      onDone();
      await client.invalidateQueries({ refetchType: "active" });
    },
  });
}
