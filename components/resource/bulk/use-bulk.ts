import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Problem, request } from "@/components/resource/request";
import { toastFailure } from "@/components/resource/review/toast-failure";
import { counted } from "@/components/ui/counted";
import { toast } from "@/components/ui/overlays/toast";
import type { BulkInput, BulkOutput } from "@/lib/contracts/changes/bulk";
import type { ConfigSection } from "@/lib/resources/sections";

function send(
  section: ConfigSection,
  body: BulkInput,
  ifMatch: number | "dryRun",
  { signal, reason }: { readonly signal?: AbortSignal; readonly reason?: string } = {},
) {
  const dry = ifMatch === "dryRun";
  return request<BulkOutput>(`/api/admin/bulk/${section}${dry ? "?dryRun=true" : ""}`, {
    method: "POST",
    body,
    ...(!dry && { ifMatch }),
    signal,
    reason,
  });
}

/** Fetches the plan of a change of many rows, with its errors. `null` fetches nothing. */
export function useBulkPlan(section: ConfigSection, body: BulkInput | null) {
  return useQuery({
    queryKey: [section, "bulk", body],
    queryFn: async ({ signal }): Promise<BulkOutput | null> =>
      body === null ? null : await send(section, body, "dryRun", { signal }),
    enabled: body !== null,
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
}

/**
 * Changes many rows, if the configuration still has the planned revision. Offers an undo, which works until the next
 * change is saved.
 *
 * @param words the singular and the plural of the rows
 */
export function useBulk(section: ConfigSection, words: readonly [string, string], onDone: () => void) {
  const client = useQueryClient();
  const undo = async (saved: number) => {
    try {
      await request(`/api/admin/revisions/${saved - 1}/restore`, { method: "POST", ifMatch: saved });
      await client.invalidateQueries({ refetchType: "active" });
    } catch (error) {
      if (error instanceof Problem && error.code === "stale")
        toast({
          title: "The change was not undone",
          description: "The configuration has changed since. Restore single rows on the Changes page.",
          tone: "failed",
        });
      else toastFailure("The change was not undone", error instanceof Error ? error : new Error(String(error)));
    }
  };
  return useMutation({
    mutationFn: ({ body, planned, reason }: { body: BulkInput; planned: BulkOutput; reason: string }) =>
      send(section, body, planned.revision, planned.review === null ? {} : { reason }),
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
