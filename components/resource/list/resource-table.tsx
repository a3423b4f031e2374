"use client";

import { rowSortingFeature, tableFeatures, useTable, type ColumnDef, type SortingState } from "@tanstack/react-table";
import { useDeferredValue, useMemo, useRef } from "react";
import { useRowKeys, type Peeking } from "@/components/keyboard/use-row-keys";
import { ResourceRow } from "@/components/resource/list/resource-row";
import type { Selection } from "@/components/resource/list/use-selection";
import type { Column } from "@/components/resource/view";
import { Checkbox } from "@/components/ui/forms/checkbox";
import { Table, Th } from "@/components/ui/table";

interface ResourceTableProps<T extends object> {
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  idOf: (row: T) => string;
  hrefOf: (row: T) => string;
  /** A column's id with an optional `-`. */
  sort: string;
  onSort: (sort: string) => void;
  stale: boolean;
  canWrite: boolean;
  compact?: boolean | undefined;
  /** Rows can be chosen. */
  selection?: Selection | undefined;
  /** Absent: Enter opens the row. */
  peeking?: Peeking | undefined;
}

const features = tableFeatures({ rowSortingFeature });

/** The rows of a list. Each row's first cell is its link, stretched over the row, and takes the keys of a row. */
export function ResourceTable<T extends object>(props: ResourceTableProps<T>) {
  const {
    label,
    columns,
    rows: latest,
    idOf,
    hrefOf,
    sort,
    onSort,
    stale,
    canWrite,
    compact,
    selection,
    peeking,
  } = props;
  const frame = useRef<HTMLDivElement>(null);
  // Typing goes first: new rows render when the browser is idle.
  const rows = useDeferredValue(latest);
  useRowKeys(frame, peeking, selection?.toggle);
  const shown = rows.map(idOf);
  const table = useSortedTable({ columns, rows, idOf, sort, onSort });
  const byId = new Map(columns.map((column) => [column.id, column]));

  return (
    <div ref={frame} className="flex min-h-0 flex-1 flex-col">
      <Table label={label} stale={stale || rows !== latest} compact={compact} frameClassName="flex-1">
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id}>
              {selection !== undefined && <SelectionHead selection={selection} shown={shown} />}
              {group.headers.map(({ id, column }) => (
                <Th
                  key={id}
                  sorted={column.getCanSort() ? column.getIsSorted() : undefined}
                  onSort={() => column.toggleSorting()}
                  className={`first:pl-5 last:pr-5 ${byId.get(id)?.className ?? ""}`}
                >
                  {byId.get(id)?.header}
                </Th>
              ))}
            </tr>
          ))}
        </thead>
        <tbody>
          {table.getRowModel().rows.map(({ id, original }) => (
            <ResourceRow
              key={id}
              row={original}
              id={id}
              href={hrefOf(original)}
              columns={columns}
              canWrite={canWrite}
              current={peeking?.peeked === id}
              chosen={selection?.has(id)}
              onToggle={selection?.toggle}
            />
          ))}
        </tbody>
      </Table>
    </div>
  );
}

/** The box that selects all rows that are shown. */
function SelectionHead({ selection, shown }: { selection: Selection; shown: readonly string[] }) {
  const some = shown.some(selection.has);
  return (
    <Th className="w-0 pr-0 pl-5">
      <Checkbox
        aria-label="Choose all that are shown"
        checked={some && shown.every(selection.has)}
        indeterminate={some && !shown.every(selection.has)}
        onChange={() => selection.toggleShown(shown)}
      />
    </Th>
  );
}

type SortedTableProps<T extends object> = Pick<ResourceTableProps<T>, "columns" | "rows" | "idOf" | "sort" | "onSort">;

/** The table's model. The server sorts. */
function useSortedTable<T extends object>({ columns, rows, idOf, sort, onSort }: SortedTableProps<T>) {
  const definitions = useMemo<ColumnDef<typeof features, T>[]>(
    () =>
      columns.map((column) => ({
        id: column.id,
        header: column.header,
        enableSorting: column.sorts === true, // The server sorts: a column needs a value only to count as sortable.
        accessorFn: () => null,
      })),
    [columns],
  );
  const sorting: SortingState = [{ id: sort.replace(/^-/, ""), desc: sort.startsWith("-") }];
  return useTable({
    features,
    columns: definitions,
    data: rows as T[],
    state: { sorting },
    manualSorting: true,
    enableSortingRemoval: false,
    sortDescFirst: false,
    getRowId: idOf,
    onSortingChange: (update) => {
      const next = (typeof update === "function" ? update(sorting) : update)[0];
      if (next !== undefined) onSort(`${next.desc ? "-" : ""}${next.id}`);
    },
  });
}
