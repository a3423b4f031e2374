import { useGet } from "@/components/resource/use-get";
import type { Row } from "@/lib/resources";
import type { ConfigSection } from "@/lib/resources/sections";
import type { Page } from "@/lib/contracts/changes/list";

/**
 * The rows of a section, for choosing one by name: the first 500, or of those that match `q`. `isPending`: whether there
 * are any is not known yet. `isWhole`: there are no others.
 */
export function useCatalogue<R extends ConfigSection>(section: R, q = "") {
  const search = new URLSearchParams({ limit: "500", ...(q !== "" && { q }) });
  const { data, isPending } = useGet<Page<Row<R>>>(["choices", section, q], `/api/admin/${section}?${search}`, {
    staleTime: 30_000,
  });
  const rows: readonly Row<R>[] = data?.items ?? [];
  return { rows, isPending, isWhole: data?.nextCursor === null };
}
