"use client";

import { useRef } from "react";
import { useRowKeys } from "@/components/keyboard/use-row-keys";
import { LoadMore } from "@/components/resource/list/load-more";
import type { usePages } from "@/components/resource/list/use-pages";
import type { Selection } from "@/components/resource/list/use-selection";
import type { Column } from "@/components/resource/view";
import { Checkbox } from "@/components/ui/forms/checkbox";
import { cn } from "@/components/ui/cn";
import type { DriftItem } from "@/lib/contracts/sources/drift";

interface DriftRowsProps {
  list: ReturnType<typeof usePages<DriftItem>>;
  /** The selected tool. */
  shown: string | null;
  onShow: (id: string) => void;
  /** Those that show: the first is the tool. */
  columns: readonly Column<DriftItem>[];
  compact: boolean;
  selection: Selection;
}

/** The waiting tools, newest first. One is shown; several can be selected for approval together. */
export function DriftRows({ list, shown, onShow, columns, compact, selection }: DriftRowsProps) {
  const frame = useRef<HTMLDivElement>(null);
  useRowKeys(frame, { peeked: shown, onPeek: onShow }, selection.toggle);
  const ids = list.rows.map(({ id }) => id);
  const some = ids.some(selection.has);
  return (
    <div
      ref={frame}
      className={cn("w-72 shrink-0 overflow-auto border-r border-line pb-8", list.isPlaceholderData && "opacity-55")}
    >
      <div className="flex items-center justify-between border-b border-line py-1.5 pr-3 pl-5 text-xs text-muted">
        All that are shown
        <Checkbox
          aria-label="Choose all that are shown"
          checked={some && ids.every(selection.has)}
          indeterminate={some && !ids.every(selection.has)}
          onChange={() => selection.toggleShown(ids)}
        />
      </div>
      <ul aria-label="Waits for review" aria-busy={list.isPlaceholderData || undefined}>
        {list.rows.map((row) => (
          <Row
            key={row.id}
            row={row}
            shown={row.id === shown}
            onShow={() => onShow(row.id)}
            columns={columns}
            compact={compact}
            selection={selection}
          />
        ))}
      </ul>
      <LoadMore pages={list} shown={list.rows.length} of={list.first} />
    </div>
  );
}

interface RowProps extends Pick<DriftRowsProps, "columns" | "compact" | "selection"> {
  row: DriftItem;
  shown: boolean;
  onShow: () => void;
}

function Row({ row, shown, onShow, columns, compact, selection }: RowProps) {
  const [tool, ...others] = columns;
  return (
    <li data-row={row.id} className={cn("flex items-start gap-2 border-b border-line pr-3", shown && "bg-hover")}>
      <button
        type="button"
        aria-current={shown ? "true" : undefined}
        onClick={onShow}
        className={cn(
          "flex min-w-0 flex-1 flex-col gap-1 pl-5 text-left hover:bg-hover focus-visible:-outline-offset-2",
          compact ? "py-1" : "py-2.5",
        )}
      >
        <span className="font-mono text-xs break-all">{tool?.cell(row, false)}</span>
        <span className="flex flex-wrap items-center gap-x-1.5 gap-y-1 text-xs text-muted">
          {others.map(({ id, cell, className }) => (
            <span key={id} className={className}>
              {cell(row, false)}
            </span>
          ))}
        </span>
      </button>
      <span className={compact ? "pt-1" : "pt-2.5"}>
        <Checkbox
          aria-label={`Choose ${row.id}`}
          checked={selection.has(row.id)}
          onChange={() => selection.toggle(row.id)}
        />
      </span>
    </li>
  );
}
