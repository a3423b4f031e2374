import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { pageQuery } from "@/components/resource/list/page-query";
import { counted } from "@/components/ui/counted";
import { useGet } from "@/components/resource/use-get";
import { request } from "@/components/resource/request";
import { toast } from "@/components/ui/overlays/toast";
import type { RevisionDiff, RevisionRestored } from "@/lib/contracts/changes/revision-diff";
import type { RevisionRow } from "@/lib/contracts/changes/revision";

/** Saved changes of the configuration, newest first, page by page. */
export function useRevisions() {
  const list = useInfiniteQuery(pageQuery<RevisionRow>(["revisions", "list"], "/api/admin/revisions"));
  const rows = list.data?.pages.flatMap((page) => page.items) ?? [];
  return { ...list, rows, first: list.data?.pages[0] };
}

/** The differences from one revision to another. */
export function useDiff(from: number, to: number) {
  return useGet<RevisionDiff>(["revisions", "diff", from, to], `/api/admin/revisions/${from}/diff/${to}`, {
    placeholderData: keepPreviousData,
  });
}

/** Restores a revision, if the newest revision is still the one that the person saw. */
export function useRestore(onRestored: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ number, newest }: { number: number; newest: number }) =>
      request<RevisionRestored>(`/api/admin/revisions/${number}/restore`, { method: "POST", ifMatch: newest }),
    onSuccess: async ({ restored, revision, changes }) => {
      toast({
        title: `Restored revision ${restored}`,
        description:
          changes === 0
            ? "The configuration was already the same."
            : `Created revision ${revision}, which changes ${counted(changes, "object")}.`,
      });
      onRestored();
      await client.invalidateQueries();
    },
  });
}
