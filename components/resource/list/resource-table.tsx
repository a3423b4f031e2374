import { rowSortingFeature, tableFeatures, useTable, type ColumnDef, type SortingState } from "@tanstack/react-table";
import { ChevronRight } from "lucide-react";
import { Fragment, useDeferredValue, useMemo, useRef, useState } from "react";
import { useRowKeys, type Peeking } from "@/components/keyboard/use-row-keys";
import type { Fold, Folds } from "@/components/resource/list/list-props";
import { ResourceRow } from "@/components/resource/list/resource-row";
import type { Selection } from "@/components/resource/list/use-selection";
import type { Column } from "@/components/resource/view";
import { cn } from "@/components/ui/cn";
import { Checkbox } from "@/components/ui/forms/checkbox";
import { Tooltip } from "@/components/ui/overlays/tooltip";
import { Table, Td, Th } from "@/components/ui/table";

interface ResourceTableProps<T extends object> {
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  idOf: (row: T) => string;
  hrefOf: (row: T) => string;
  folds?: Folds<T> | undefined;
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
const NO_ROWS: never[] = [];

/** The rows of a list. Each row's first cell is its link, stretched over the row, and takes the keys of a row. */
export function ResourceTable<T extends object>(props: ResourceTableProps<T>) {
  const { label, columns, rows: latest, idOf, sort, onSort, stale, compact, folds, selection, peeking } = props;
  const frame = useRef<HTMLDivElement>(null);
  // Typing has priority, so new rows render when the browser is idle.
  const rows = useDeferredValue(latest);
  useRowKeys(frame, peeking, selection?.toggle);
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const parts = partsOf(rows, folds);
  const toggleFold = (id: string) => {
    const next = new Set(toggled);
    if (!next.delete(id)) next.add(id);
    setToggled(next);
  };
  // A list of folds alone would show no row: its first one begins open.
  const begins = parts.every(({ fold }) => fold !== null) ? parts[0]?.fold?.id : null;
  const isOpen = ({ fold }: Part<T>) =>
    fold === null || parts.length === 1 || toggled.has(fold.id) !== (fold.id === begins);
  const shown = parts.filter(isOpen).flatMap((part) => part.rows.map(idOf));
  const table = useSortedTable({ columns, sort, onSort });
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
                  <HeaderText {...byId.get(id)} />
                </Th>
              ))}
            </tr>
          ))}
        </thead>
        <tbody>
          <Parts {...props} parts={parts} isOpen={isOpen} onToggle={toggleFold} />
        </tbody>
      </Table>
    </div>
  );
}

/** The text of a header. One with a hint shows it when a person points at it or moves to it. */
function HeaderText({ header, hint }: { header?: string; hint?: string | undefined }) {
  if (hint === undefined) return header;
  return (
    <Tooltip content={hint}>
      <button
        type="button"
        className="cursor-help rounded underline decoration-dotted decoration-faint underline-offset-4"
      >
        {header}
      </button>
    </Tooltip>
  );
}

/** Rows that follow each other in a table: those of a fold, or rows without one. */
interface Part<T> {
  readonly fold: Fold | null;
  readonly rows: T[];
}

/** A table's rows in parts. A fold has all its rows, at the place of its first one. */
function partsOf<T>(rows: readonly T[], folds: Folds<T> | undefined): readonly Part<T>[] {
  const foldOf = folds?.(rows);
  const parts: Part<T>[] = [];
  for (const row of rows) {
    const fold = foldOf?.get(row) ?? null;
    const part = fold === null ? parts.at(-1) : parts.find((one) => one.fold?.id === fold.id);
    if (part !== undefined && part.fold?.id === fold?.id) part.rows.push(row);
    else parts.push({ fold, rows: [row] });
  }
  return parts;
}

interface PartsProps<T extends object> extends ResourceTableProps<T> {
  parts: readonly Part<T>[];
  isOpen: (part: Part<T>) => boolean;
  onToggle: (id: string) => void;
}

function Parts<T extends object>({ parts, isOpen, onToggle, ...props }: PartsProps<T>) {
  const span = props.columns.length + (props.selection === undefined ? 0 : 1);
  return parts.map((part, index) => {
    const { fold, rows } = part;
    const open = isOpen(part);
    return (
      <Fragment key={fold?.id ?? index}>
        {fold !== null && parts.length > 1 && (
          <FoldRow
            label={fold.label}
            count={rows.length}
            span={span}
            isOpen={open}
            onToggle={() => onToggle(fold.id)}
          />
        )}
        {open && <Rows {...props} rows={rows} />}
      </Fragment>
    );
  });
}

function Rows<T extends object>(props: ResourceTableProps<T>) {
  const { rows, idOf, hrefOf, columns, canWrite, selection, peeking } = props;
  return rows.map((row) => {
    const id = idOf(row);
    return (
      <ResourceRow
        key={id}
        row={row}
        id={id}
        href={hrefOf(row)}
        columns={columns}
        canWrite={canWrite}
        current={peeking?.peeked === id}
        chosen={selection?.has(id)}
        onToggle={selection?.toggle}
      />
    );
  });
}

interface FoldRowProps {
  label: string;
  count: number;
  /** The number of columns. */
  span: number;
  isOpen: boolean;
  onToggle: () => void;
}

/** The heading of the folded rows, which shows and hides them. */
function FoldRow({ label, count, span, isOpen, onToggle }: FoldRowProps) {
  return (
    <tr>
      <Td colSpan={span} className="px-5">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={onToggle}
          className="flex items-center gap-2 rounded text-sm font-medium text-muted hover:text-ink"
        >
          <ChevronRight aria-hidden className={cn("size-3.5", isOpen && "rotate-90")} />
          {label} <span className="text-xs text-faint tabular-nums">{count.toLocaleString("en")}</span>
        </button>
      </Td>
    </tr>
  );
}

/** The box that selects all rows that are shown. */
function SelectionHead({ selection, shown }: { selection: Selection; shown: readonly string[] }) {
  const some = shown.some(selection.has);
  return (
    <Th className="w-0 pr-0 pl-5">
      <Checkbox
        aria-label="Select all shown"
        checked={some && shown.every(selection.has)}
        indeterminate={some && !shown.every(selection.has)}
        onChange={() => selection.toggleShown(shown)}
      />
    </Th>
  );
}

type SortedTableProps<T extends object> = Pick<ResourceTableProps<T>, "columns" | "sort" | "onSort">;

/** The model of the header: the server sorts the rows. */
function useSortedTable<T extends object>({ columns, sort, onSort }: SortedTableProps<T>) {
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
    data: NO_ROWS,
    state: { sorting },
    manualSorting: true,
    enableSortingRemoval: false,
    sortDescFirst: false,
    onSortingChange: (update) => {
      const next = (typeof update === "function" ? update(sorting) : update)[0];
      if (next !== undefined) onSort(`${next.desc ? "-" : ""}${next.id}`);
    },
  });
}
