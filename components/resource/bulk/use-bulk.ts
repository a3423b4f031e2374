import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Problem, request } from "@/components/resource/request";
import { toastFailure } from "@/components/resource/review/toast-failure";
import { counted } from "@/components/ui/counted";
import { toast } from "@/components/ui/overlays/toast";
import type { BulkInput, BulkOutput } from "@/lib/contracts/changes/bulk";
import type { ConfigSection } from "@/lib/resources/sections";

function sendBulk(
  section: ConfigSection,
  body: BulkInput,
  ifMatch: number | "dryRun",
  { signal, reason }: { readonly signal?: AbortSignal; readonly reason?: string } = {},
) {
  const isDryRun = ifMatch === "dryRun";
  return request<BulkOutput>(`/api/admin/bulk/${section}${isDryRun ? "?dryRun=true" : ""}`, {
    method: "POST",
    body,
    ...(!isDryRun && { ifMatch }),
    signal,
    reason,
  });
}

/** Fetches what a change of many rows would do, with its errors. `null` fetches nothing. */
export function useBulkPlan(section: ConfigSection, body: BulkInput | null) {
  return useQuery({
    queryKey: [section, "bulk", body],
    queryFn: async ({ signal }): Promise<BulkOutput | null> =>
      body === null ? null : await sendBulk(section, body, "dryRun", { signal }),
    enabled: body !== null,
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
}

/**
 * Changes many rows, if the configuration still has the revision of the plan. Offers an undo, which works until somebody saves
 * another change.
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
      else toastFailure("The change was not undone", error);
    }
  };
  return useMutation({
    mutationFn: ({ body, planned, reason }: { body: BulkInput; planned: BulkOutput; reason: string }) =>
      sendBulk(section, body, planned.revision, planned.review === null ? {} : { reason }),
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
