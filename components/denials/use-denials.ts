import { useMutation, useQueryClient } from "@tanstack/react-query";
import { toastFailure } from "@/components/resource/review/toast-failure";
import { useGet } from "@/components/resource/use-get";
import { adminPath, request } from "@/components/resource/request";
import { toast } from "@/components/ui/overlays/toast";
import type { DenialDetail, DenialRow } from "@/lib/contracts/decisions/denial";

/** One kind of refusal, the decision of the present rules, and the grants that would allow it. */
export function useDenial(id: string) {
  return useGet<DenialDetail>(["denials", "row", id], adminPath("denials", id), {
    // The server decides anew and logs every read, so do not refetch on focus.
    refetchOnWindowFocus: false,
    staleTime: 0,
  });
}

/** Removes a kind of refusal from the inbox. */
export function markResolved(id: string): Promise<undefined> {
  return request<undefined>(adminPath("denials", id, "handled"), { method: "PUT" });
}

/** Removes a kind of refusal from the inbox, or puts it back. */
export function useMarkResolved() {
  const client = useQueryClient();
  const mark = useMutation({
    mutationFn: ({ row, handled }: { row: Pick<DenialRow, "id" | "tool">; handled: boolean }) =>
      handled
        ? markResolved(row.id)
        : request<undefined>(adminPath("denials", row.id, "handled"), { method: "DELETE" }),
    onSuccess: (_nothing, { row, handled }) => {
      if (handled)
        toast({
          title: `Resolved ${row.tool}`,
          description: "The next refusal reopens it.",
          undo: () => mark.mutate({ row, handled: false }),
        });
      else toast({ title: `Reopened ${row.tool}` });
    },
    onError: (error) => toastFailure("Nothing was changed", error),
    onSettled: () => client.invalidateQueries({ queryKey: ["denials"] }),
  });
  return mark;
}
