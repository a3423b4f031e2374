import type { Column } from "@/components/resource/view";
import { Time } from "@/components/ui/time";

/** A column with a time of the row. It lies above the row's link, so that its tooltip can be reached. */
export function timeColumn<K extends string>(
  field: K,
  header: string,
  { sorts = false }: { readonly sorts?: boolean } = {},
): Column<Readonly<Record<K, string | null>>> {
  return {
    id: field,
    header,
    sorts,
    className: "whitespace-nowrap",
    cell: (row) => {
      const at = row[field];
      // Wide enough for "59 min. ago": otherwise the columns would move as time passes.
      return (
        <span className="relative z-1 inline-block min-w-20 text-muted">
          {at === null ? "never" : <Time at={at} />}
        </span>
      );
    },
  };
}
