import { useQuery } from "@tanstack/react-query";
import { adminPath, request } from "@/components/resource/request";
import type { Save } from "@/components/resource/editor/use-save";
import type { ResourceName } from "@/lib/resources";
import type { RowPlan } from "@/lib/contracts/changes/row-plan";

/** The plan before the first check. */
export const NO_PLAN: RowPlan = { errors: [], users: [], warnings: [], review: null };

/** Plans a save: fetches its errors and warnings, and saves nothing. */
export function planSave<R extends ResourceName>(
  resource: R,
  { input, replaces }: Save<R>,
  signal?: AbortSignal,
): Promise<RowPlan> {
  return replaces === undefined
    ? request<RowPlan>(`/api/admin/${resource}?dryRun=true`, { method: "POST", body: input, signal })
    : request<RowPlan>(`${adminPath(resource, replaces.id)}?dryRun=true&followRename=true`, {
        method: "PUT",
        body: input,
        ifMatch: replaces.revision,
        signal,
      });
}

/** Fetches the plan of a deletion while `open`. Only the deletion itself reports the rows that use this row. */
export function useRemovePlan(resource: ResourceName, id: string, open: boolean) {
  return useQuery({
    queryKey: [resource, "remove-plan", id],
    queryFn: ({ signal }) => request<RowPlan>(`${adminPath(resource, id)}?dryRun=true`, { method: "DELETE", signal }),
    enabled: open,
    staleTime: 0,
    gcTime: 0,
  });
}
