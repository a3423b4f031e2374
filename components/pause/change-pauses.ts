import { toastFailure } from "@/components/resource/review/toast-failure";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { request } from "@/components/resource/request";
import { toast } from "@/components/ui/overlays/toast";
import type { PauseInput, PauseRow, PauseTarget } from "@/lib/resources/pause";

const ADDRESS = "/api/admin/pause";

/** Stops calls, and says so. */
export function usePause() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: PauseInput) => request<{ items: readonly PauseRow[] }>(ADDRESS, { method: "PUT", body }),
    onSuccess: (_answer, target) => {
      toast({ title: `Paused ${whatOf(target)}` });
      // Lists of tools, previews and the history all show the pause.
      return client.invalidateQueries();
    },
  });
}

/** Lets calls through again, and offers to undo it. */
export function useResume() {
  const client = useQueryClient();
  const pause = usePause();
  return useMutation({
    mutationFn: ({ scope, name }: PauseRow) => {
      const target = new URLSearchParams({ scope, ...(name !== null && { name }) });
      return request<undefined>(`${ADDRESS}?${target}`, { method: "DELETE" });
    },
    onSuccess: async (_answer, row) => {
      toast({
        title: `Resumed ${whatOf(row)}`,
        undo: () => {
          const again = pause.mutateAsync({ scope: row.scope, name: row.name, reason: row.reason });
          again.catch((error: unknown) => toastFailure("Nothing was paused again", error));
        },
      });
      await client.invalidateQueries();
    },
    onError: (error) => toastFailure("Nothing was resumed", error),
  });
}

/** The target of a pause, for the middle of a sentence. */
export function whatOf({ scope, name }: PauseTarget): string {
  if (scope === "all" || name === null) return "all calls";
  return scope === "source" ? `calls of the source ${name}` : `calls by the agent ${name}`;
}
