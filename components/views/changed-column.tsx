import { NOT_ON_PHONE, timeColumn, wideColumn } from "@/components/resource/columns";
import type { Column } from "@/components/resource/view";
import { VisibleText } from "@/components/ui/visible-text";

/** The last column of every list of a resource. */
export function changedColumn() {
  return timeColumn("updatedAt", "Changed", { sorts: true });
}

/** A text column that takes the remaining width. A phone needs the width for the row's name and its switch. */
export function descriptionColumn<T extends { description: string }>(): Column<T> {
  const column = wideColumn<T>("description", "Description", (row) => <VisibleText text={row.description} />);
  return { ...column, className: `${column.className} ${NOT_ON_PHONE}` };
}
