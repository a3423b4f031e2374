// The virtualizer changes its measurements inside the same object, which memoised components would not see.
"use no memo";

import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useEffectEvent, useRef, type CSSProperties, type KeyboardEvent, type ReactNode } from "react";
import { isKey } from "@/components/keyboard/keys";
import { useGo } from "@/components/resource/go";
import { cn } from "@/components/ui/cn";

/** One row of the visible or the hidden list. Renders its content only in view, because there are thousands of rows. */
export interface ToolLine {
  readonly id: string;
  readonly name: string;
  readonly detail: () => ReactNode;
  readonly aside: () => ReactNode;
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

/**
 * Thousands of tools, of which only those in view are in the page. Arrow keys, j and k move; Home and End go to the ends;
 * Ctrl-Enter opens the tool's page.
 */
export function ToolList({ label, lines, selected, onSelect, stale }: ToolListProps) {
  const frame = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  });
  const go = useGo();
  const at = lines.findIndex((line) => line.id === selected);
  const onKeyDown = (event: KeyboardEvent) => {
    if (selected !== null && isKey(event.nativeEvent, "open", false))
      return go(`/admin/tools/${encodeURIComponent(selected)}`);
    const to = movedTo(event.key, at, lines.length);
    const next = to === null ? undefined : lines[Math.min(lines.length - 1, Math.max(0, to))];
    if (next === undefined) return;
    event.preventDefault();
    onSelect(next.id);
  };
  const isListed = at !== -1;
  const reveal = useEffectEvent(() => isListed && rows.scrollToIndex(at));
  // A key or a link may select a row out of view.
  useEffect(() => void reveal(), [selected, isListed]);
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
        "min-h-28 flex-1 overflow-y-auto rounded-md border border-line transition-opacity @max-3xl:max-h-96 @max-3xl:min-h-0 @max-3xl:flex-none",
        stale && "opacity-55",
      )}
    >
      <div role="presentation" className="relative w-full" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map((item) => {
          const line = lines[item.index];
          if (line === undefined) return null;
          return (
            <LineRow
              key={line.id}
              line={line}
              isSelected={line.id === selected}
              onSelect={onSelect}
              place={{ height: item.size, transform: `translateY(${item.start}px)` }}
            />
          );
        })}
      </div>
    </div>
  );
}

interface LineRowProps {
  line: ToolLine;
  isSelected: boolean;
  onSelect: (id: string) => void;
  place: CSSProperties;
}

function LineRow({ line, isSelected, onSelect, place }: LineRowProps) {
  return (
    <div
      id={rowId(line.id)}
      role="option"
      tabIndex={-1}
      aria-selected={isSelected}
      onClick={() => onSelect(line.id)}
      onKeyDown={() => {}}
      className={cn(
        "absolute inset-x-0 flex cursor-pointer items-center gap-3 border-b border-line px-3 hover:bg-hover",
        isSelected && "bg-accent-soft hover:bg-accent-soft",
      )}
      style={place}
    >
      <span className="flex min-w-0 flex-1 flex-col">
        <span className={cn("truncate font-mono text-xs font-medium", line.dimmed === true && "text-muted")}>
          {line.name}
        </span>
        <span className="truncate text-xs text-faint">{line.detail()}</span>
      </span>
      <span className="flex shrink-0 items-center gap-1">{line.aside()}</span>
    </div>
  );
}

/** The row to which a key moves; `null`: none. */
function movedTo(key: string, at: number, count: number): number | null {
  if (key === "ArrowDown" || key === "j") return at + 1;
  if (key === "ArrowUp" || key === "k") return at - 1;
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : null;
}

function rowId(id: string): string {
  return `tool-${id.replace(/[^A-Za-z0-9_-]/g, "-")}`;
}
