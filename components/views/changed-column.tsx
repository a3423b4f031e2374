import { timeColumn } from "@/components/resource/time-column";
import type { Column } from "@/components/resource/view";
import { VisibleText } from "@/components/ui/visible-text";

/** The last column of every list of a resource. */
export function changedColumn() {
  return timeColumn("updatedAt", "Changed", { sorts: true });
}

/** A text column that takes the remaining width. */
export function descriptionColumn<T extends { description: string }>(): Column<T> {
  return {
    id: "description",
    header: "Description",
    className: "w-full max-w-0 min-w-40",
    cell: (row) => (
      <span className="block truncate text-muted">
        <VisibleText text={row.description} />
      </span>
    ),
  };
}
