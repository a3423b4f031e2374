import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useGet } from "@/components/resource/use-get";
import { adminPath, request } from "@/components/resource/request";
import type { Page } from "@/lib/contracts/changes/list";
import type { SavedViewInput, SavedViewRow, ViewedList } from "@/lib/resources/saved-view";

/** The views of one list that the caller may see, by name. */
export function useViews(list: ViewedList) {
  return useGet<Page<SavedViewRow>>(["views", "list", list], `/api/admin/views?resource=${list}&limit=200`);
}

/** A change of a view: create it, replace a revision of it, or delete it. */
type ViewChange =
  | { readonly does: "create"; readonly input: SavedViewInput }
  | { readonly does: "replace"; readonly view: SavedViewRow; readonly input: SavedViewInput }
  | { readonly does: "delete"; readonly view: SavedViewRow };

/** Changes one view. Refetches the lists of views, also after a refusal. */
export function useViewChange() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (change: ViewChange): Promise<void> => {
      if (change.does === "create") return request("/api/admin/views", { method: "POST", body: change.input });
      const { name, revision } = change.view;
      const body = change.does === "replace" ? { body: change.input } : {};
      const method = change.does === "replace" ? "PUT" : "DELETE";
      return request(adminPath("views", name), { method, ifMatch: revision, ...body });
    },
    onSettled: () => client.invalidateQueries({ queryKey: ["views"] }),
  });
}

/** The view as an input, to replace it. */
export function viewInput({ name, resource, query, columns, shared }: SavedViewRow): SavedViewInput {
  return { name, resource, query, columns, shared };
}

export function viewHref({ resource, query }: Pick<SavedViewRow, "resource" | "query">): string {
  const search = new URLSearchParams(query);
  return `/admin/${resource}${search.size === 0 ? "" : `?${search}`}`;
}
