import type { Route } from "next";
import type { Column } from "@/components/resource/view";
import { Checkbox } from "@/components/ui/forms/checkbox";
import { Link } from "@/components/ui/link";
import { Td } from "@/components/ui/table";
import { toContent } from "@/components/ui/to-content";

interface ResourceRowProps<T extends object> {
  row: T;
  id: string;
  href: string;
  columns: readonly Column<T>[];
  canWrite: boolean;
  /** Whether its peek panel is open. */
  current: boolean;
  /** Absent: rows cannot be selected. */
  chosen: boolean | undefined;
  onToggle: ((id: string) => void) | undefined;
}

/** One row of a list. Renders again only when its own data changes. */
export function ResourceRow<T extends object>(props: ResourceRowProps<T>) {
  const { row, id, href, columns, canWrite, current, chosen, onToggle } = props;
  return (
    <tr
      aria-current={current || undefined}
      className="group relative hover:bg-hover/60 has-[a[data-row]:focus-visible]:bg-hover has-[[role=checkbox][data-checked]]:bg-accent-soft/60 aria-current:bg-accent-soft"
    >
      {chosen !== undefined && (
        <Td className="w-0 pr-0 pl-5">
          <span className="relative z-1 flex">
            <Checkbox aria-label={`Select ${id}`} checked={chosen} onChange={() => onToggle?.(id)} />
          </span>
        </Td>
      )}
      {columns.map((column, index) => (
        <Td key={column.id} className={`first:pl-5 last:pr-5 ${column.className ?? ""}`}>
          {index === 0 ? (
            <Link
              ref={returnFocusToContent}
              data-row={id}
              href={href as Route}
              title={id}
              className="block max-w-96 truncate font-medium max-sm:max-w-60 2xl:max-w-xl after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
            >
              {column.cell(row, canWrite)}
            </Link>
          ) : (
            column.cell(row, canWrite)
          )}
        </Td>
      ))}
    </tr>
  );
}

/** Moves the focus to the content when a focused row disappears, for example after a decision about it. */
function returnFocusToContent(link: HTMLAnchorElement | null) {
  return () => {
    if (link !== null && link === document.activeElement) toContent();
  };
}
