"use client";
// The virtualizer answers with new measurements behind an unchanged object: memoising would freeze it.
"use no memo";

import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef, type KeyboardEvent, type ReactNode } from "react";
import { cn } from "@/components/ui/cn";

/** One row of the visible or the hidden list. */
export interface ToolLine {
  readonly id: string;
  readonly name: string;
  readonly detail: ReactNode;
  readonly aside: ReactNode;
  readonly dimmed?: boolean;
}

interface ToolListProps {
  label: string;
  lines: readonly ToolLine[];
  selected: string | null;
  onSelect: (id: string) => void;
  stale: boolean;
}

const ROW_PX = 44;

/** Thousands of tools, of which only those in view are in the page. Arrow keys, j and k move. */
export function ToolList({ label, lines, selected, onSelect, stale }: ToolListProps) {
  const frame = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const step =
      event.key === "ArrowDown" || event.key === "j" ? 1 : event.key === "ArrowUp" || event.key === "k" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const at = lines.findIndex((line) => line.id === selected);
    const next = lines[Math.min(lines.length - 1, Math.max(0, at + step))];
    if (next === undefined) return;
    onSelect(next.id);
    rows.scrollToIndex(lines.indexOf(next));
  };
  return (
    <div
      ref={frame}
      role="listbox"
      aria-label={label}
      aria-busy={stale || undefined}
      aria-activedescendant={selected === null ? undefined : rowId(selected)}
      tabIndex={0}
      onKeyDown={onKeyDown}
      className={cn(
        "min-h-28 flex-1 overflow-y-auto rounded-md border border-line transition-opacity @max-3xl:h-96 @max-3xl:flex-none",
        stale && "opacity-55",
      )}
    >
      <div role="presentation" className="relative w-full" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map((item) => {
          const line = lines[item.index];
          if (line === undefined) return null;
          return (
            <div
              key={line.id}
              id={rowId(line.id)}
              role="option"
              tabIndex={-1}
              aria-selected={line.id === selected}
              onClick={() => onSelect(line.id)}
              onKeyDown={() => {}}
              className={cn(
                "absolute inset-x-0 flex cursor-pointer items-center gap-3 border-b border-line px-3 hover:bg-hover",
                line.id === selected && "bg-accent-soft hover:bg-accent-soft",
              )}
              style={{ height: item.size, transform: `translateY(${item.start}px)` }}
            >
              <span className="flex min-w-0 flex-1 flex-col">
                <span className={cn("truncate font-mono text-xs font-medium", line.dimmed === true && "text-muted")}>
                  {line.name}
                </span>
                <span className="truncate text-xs text-faint">{line.detail}</span>
              </span>
              <span className="flex shrink-0 items-center gap-1">{line.aside}</span>
            </div>
          );
        })}
      </div>
    </div>
  );
}

function rowId(id: string): string {
  return `tool-${id.replace(/[^A-Za-z0-9_-]/g, "-")}`;
}
