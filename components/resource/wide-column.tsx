import type { ReactNode } from "react";
import type { Column } from "@/components/resource/view";

interface WideColumnOptions<T> {
  readonly fields?: NonNullable<Column<T>["fields"]>;
  readonly mono?: boolean;
}

/** A text column that takes the remaining width and truncates its text. */
export function wideColumn<T>(
  id: string,
  header: string,
  text: (row: T) => ReactNode,
  { fields, mono = false }: WideColumnOptions<T> = {},
): Column<T> {
  const style = mono ? "block truncate font-mono text-xs text-muted" : "block truncate text-muted";
  return {
    id,
    header,
    ...(fields !== undefined && { fields }),
    className: "w-full max-w-0 min-w-40",
    cell: (row) => <span className={style}>{text(row)}</span>,
  };
}
