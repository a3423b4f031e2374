import { timeColumn, wideColumn } from "@/components/resource/columns";
import type { Column } from "@/components/resource/view";
import { VisibleText } from "@/components/ui/visible-text";

/** The last column of every list of a resource. */
export function changedColumn() {
  return timeColumn("updatedAt", "Changed", { sorts: true });
}

/** A text column that takes the remaining width. */
export function descriptionColumn<T extends { description: string }>(): Column<T> {
  return wideColumn("description", "Description", (row) => <VisibleText text={row.description} />);
}
