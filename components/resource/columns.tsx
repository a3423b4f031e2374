import type { ReactNode } from "react";
import type { Column } from "@/components/resource/view";
import { Time } from "@/components/ui/time";

/** The class of a column whose content the first cell shows on a phone, or that a phone has no room for. */
export const NOT_ON_PHONE = "max-sm:hidden";

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
      // Wide enough for "59 minutes ago": otherwise the columns would move as time passes.
      return (
        <span className="relative z-1 inline-block min-w-27 text-muted">
          {at === null ? "never" : <Time at={at} />}
        </span>
      );
    },
  };
}

interface TextColumnOptions<T> extends Partial<Pick<Column<T>, "sorts" | "hint" | "fields" | "aside" | "className">> {
  readonly mono?: boolean;
}

/** A column of texts on one line, next to more important ones. A `className` with a maximum width truncates the texts. */
export function textColumn<T>(
  id: string,
  header: string,
  text: (row: T) => ReactNode,
  { mono = false, ...options }: TextColumnOptions<T> = {},
): Column<T> {
  const style = mono ? "block truncate font-mono text-xs text-muted" : "block truncate text-muted";
  return {
    id,
    header,
    className: "whitespace-nowrap",
    ...options,
    cell: (row) => <span className={style}>{text(row)}</span>,
  };
}

/** A text column that takes the remaining width and truncates its text. */
export function wideColumn<T>(
  id: string,
  header: string,
  text: (row: T) => ReactNode,
  options: Omit<TextColumnOptions<T>, "className"> = {},
): Column<T> {
  return textColumn(id, header, text, { ...options, className: "w-full max-w-0 min-w-40" });
}

/** The first column of a list whose rows are known by their name alone. */
export const NAME_COLUMN: Column<{ readonly name: string }> = {
  id: "name",
  header: "Name",
  sorts: true,
  className: "whitespace-nowrap",
  cell: (row) => row.name,
};
