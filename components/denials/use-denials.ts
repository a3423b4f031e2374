import { useMutation, useQueryClient } from "@tanstack/react-query";
import { sendToEach } from "@/components/resource/bulk/send-to-each";
import { toastFailure } from "@/components/resource/review/toast-failure";
import { useGet } from "@/components/resource/use-get";
import { adminPath, request } from "@/components/resource/request";
import { counted } from "@/components/ui/counted";
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

/** Whether a kind of refusal is resolved: it was marked, and not refused since. */
export function isResolved({ handledAt, lastAt }: Pick<DenialRow, "handledAt" | "lastAt">): boolean {
  return handledAt !== null && handledAt >= lastAt;
}

interface Marked {
  readonly rows: readonly Pick<DenialRow, "id" | "tool">[];
  readonly handled: boolean;
  /** Called when at least one kind was marked, before the list is read again. */
  readonly onDone?: () => void;
}

/** Removes kinds of refusal from the inbox, or puts them back. */
export function useMarkResolved() {
  const client = useQueryClient();
  const mark = useMutation({
    mutationFn: ({ rows, handled }: Marked) =>
      sendToEach(rows, ({ id }) =>
        handled ? markResolved(id) : request<undefined>(adminPath("denials", id, "handled"), { method: "DELETE" }),
      ),
    onSuccess: ({ done, failures }, { handled, onDone }) => {
      const what = done.length === 1 ? done[0]?.tool : counted(done.length, "kind of refusal", "kinds of refusal");
      if (handled)
        toast({
          title: `Resolved ${what}`,
          description: done.length === 1 ? "The next refusal reopens it." : "The next refusal of a kind reopens it.",
          undo: () => mark.mutate({ rows: done, handled: false }),
        });
      else toast({ title: `Reopened ${what}` });
      const [first] = failures;
      if (first !== undefined) toastFailure(`${counted(failures.length, "kind was", "kinds were")} not changed`, first);
      onDone?.();
    },
    onError: (error) => toastFailure("Nothing was changed", error),
    onSettled: () => client.invalidateQueries({ queryKey: ["denials"] }),
  });
  return mark;
}
