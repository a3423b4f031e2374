import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useGet } from "@/components/resource/use-get";
import { adminPath, Problem, request } from "@/components/resource/request";
import { toast } from "@/components/ui/overlays/toast";
import { toContent } from "@/components/ui/to-content";
import type { DriftDecided, DriftDetail, DriftItem } from "@/lib/contracts/sources/drift";

/** Both definitions of one tool. */
export function useDriftDetail(id: string) {
  return useGet<DriftDetail>(["drift", "detail", id], adminPath("drift", id), {
    staleTime: 0,
    retry: false,
  });
}

type Seen = Pick<DriftItem, "id" | "hash">;

/** A person's decision on the tools that they see. */
interface Decision {
  readonly what: "approve" | "reject";
  readonly items: readonly Seen[];
}

/** Decides on the tools that the person sees, and then refetches everything that shows tools. */
export function useDecide(onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ what, items }: Decision) => {
      const [first] = items;
      if (items.length !== 1 || first === undefined)
        return request<DriftDecided>(`/api/admin/drift/${what}`, {
          method: "POST",
          body: { items: items.map(({ id, hash }) => ({ id, hash })) },
        });
      return request<DriftDecided>(adminPath("drift", first.id, what), { method: "POST", body: { hash: first.hash } });
    },
    onSuccess: async (_decided, { what, items }) => {
      const [first] = items;
      const about = items.length === 1 && first !== undefined ? first.id : `${items.length} tools`;
      toast({ title: `${what === "approve" ? "Approved" : "Rejected"} ${about}` });
      // The pressed button disappears with the decided rows.
      toContent();
      onDone();
      // An approved tool has no drift any more: a refetch would fail with `not_found`.
      const approved = new Set(what === "approve" ? items.map(({ id }) => id) : []);
      await client.invalidateQueries({
        predicate: ({ queryKey: [kind, part, id] }) =>
          kind !== "drift" || part !== "detail" || !approved.has(String(id)),
      });
    },
    onError: async (error) => {
      // The refetch below replaces the part of the page that shows the error.
      if (error instanceof Problem && error.code === "stale")
        toast({
          title: "No decision was saved",
          description: "The definition changed in the meantime. Review it again.",
          tone: "failed",
        });
      await client.invalidateQueries({ queryKey: ["drift"] });
    },
  });
}
