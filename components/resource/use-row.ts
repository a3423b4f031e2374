import { adminPath } from "@/components/resource/request";
import { useGet } from "@/components/resource/use-get";
import type { ResourceName, Row } from "@/lib/resources";

/** One row. Not refetched during an edit: a save reports a conflict. */
export function useRow<R extends ResourceName>(resource: R, id: string) {
  return useGet<Row<R>>([resource, "row", id], adminPath(resource, id), {
    refetchOnWindowFocus: false,
  });
}
