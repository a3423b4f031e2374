import type { Column } from "@/components/resource/view";
import { Time } from "@/components/ui/time";
import { VisibleText } from "@/components/ui/visible-text";

/** The last column of every list. It lies above the row's link, so that its tooltip can be reached. */
export function changedColumn<T extends { updatedAt: string }>(): Column<T> {
  return {
    id: "updatedAt",
    header: "Changed",
    sorts: true,
    className: "whitespace-nowrap",
    cell: (row) => (
      <span className="relative z-1 text-muted">
        <Time at={row.updatedAt} />
      </span>
    ),
  };
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
