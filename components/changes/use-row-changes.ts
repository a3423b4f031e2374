import { useGet } from "@/components/resource/use-get";
import type { ChangeRow } from "@/lib/contracts/changes/change";
import type { Page } from "@/lib/contracts/changes/list";

/** The newest changes of one row of any kind. */
export function useRowChanges(resource: string, id: string, limit: number) {
  const address = new URLSearchParams({ resource, id, limit: String(limit) });
  return useGet<Page<ChangeRow>>(["changes", "of", resource, id, limit], `/api/admin/changes?${address}`);
}
