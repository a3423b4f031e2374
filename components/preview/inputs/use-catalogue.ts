import { useGet } from "@/components/resource/use-get";
import type { Row } from "@/lib/resources";
import type { ConfigSection } from "@/lib/resources/sections";
import type { Page } from "@/lib/contracts/changes/list";

/** The rows of a section, for choosing one by name. `isPending`: whether there are any is not known yet. */
export function useCatalogue<R extends ConfigSection>(section: R) {
  const { data, isPending } = useGet<Page<Row<R>>>(["choices", section], `/api/admin/${section}?limit=500`, {
    staleTime: 30_000,
  });
  const rows: readonly Row<R>[] = data?.items ?? [];
  return { rows, isPending };
}
