import { usePages } from "@/components/resource/list/use-pages";
import type { ResourceName, Row } from "@/lib/resources";

/** A list's query; absent parts are not sent. */
interface ListQuestion {
  readonly q?: string | undefined;
  readonly limit?: number | undefined;
}

/** Rows of a resource, where a form picks from them. */
export function useList<R extends ResourceName>(resource: R, { q, limit }: ListQuestion) {
  return usePages<Row<R>>(resource, {
    ...(q !== undefined && q !== "" && { q }),
    ...(limit !== undefined && { limit: String(limit) }),
  });
}
