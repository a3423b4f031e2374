import { ArrowDown, ArrowUp } from "lucide-react";
import type { ComponentProps } from "react";
import { cn } from "@/components/ui/cn";
import { ScrollFrame } from "@/components/ui/scroll-frame";

interface TableProps extends ComponentProps<"table"> {
  /** The name of the rows, for screen readers. */
  label: string;
  /** Whether the rows are old ones while new ones load. */
  stale?: boolean | undefined;
  frameClassName?: string | undefined;
  /** Closer rows. */
  compact?: boolean | undefined;
  /** On a phone each row is a card: its cells say their header in `data-label`; `data-short` ones share a line. */
  stacks?: boolean | undefined;
}

/** A dense table with a header that stays while its own frame scrolls. */
export function Table({
  label,
  stale = false,
  className,
  frameClassName,
  compact = false,
  stacks = false,
  ...rest
}: TableProps) {
  return (
    // A region that scrolls must be reachable by keyboard.
    <ScrollFrame role="region" tabIndex={0} aria-label={`${label}, table`} className={frameClassName}>
      <table
        {...rest}
        aria-label={label}
        aria-busy={stale || undefined}
        className={cn(
          "w-full border-separate border-spacing-0 text-sm transition-opacity",
          stale && "opacity-55",
          compact && "[&_td]:h-7 [&_td]:py-0.5",
          stacks && "stack-rows",
          className,
        )}
      />
    </ScrollFrame>
  );
}

interface ThProps extends Omit<ComponentProps<"th">, "onClick"> {
  /** `false` = sortable, not sorted by; absent = not sortable. */
  sorted?: "asc" | "desc" | false | undefined;
  onSort?: (() => void) | undefined;
}

/** A column's header; a button when the column sorts. */
export function Th({ sorted, onSort, className, children, ...rest }: ThProps) {
  const style =
    "sticky top-0 z-10 h-8 border-b border-line bg-canvas px-3 text-left text-xs font-medium whitespace-nowrap text-muted";
  if (sorted === undefined || onSort === undefined)
    return (
      <th scope="col" {...rest} className={cn(style, className)}>
        {children}
      </th>
    );
  const ariaSort = sorted === "asc" ? "ascending" : sorted === "desc" ? "descending" : "none";
  return (
    <th scope="col" aria-sort={ariaSort} {...rest} className={cn(style, className)}>
      <button
        type="button"
        onClick={onSort}
        className="-mx-1 inline-flex items-center gap-1 rounded px-1 hover:text-ink"
      >
        {children}
        {sorted === "asc" && <ArrowUp aria-hidden className="size-3" />}
        {sorted === "desc" && <ArrowDown aria-hidden className="size-3" />}
      </button>
    </th>
  );
}

/** A header: its text, its text with a class, a text for screen readers alone, or none (`false`). */
type Header = string | readonly [text: string, className: string] | { readonly hidden: string } | false;

/** The headers of a table whose columns do not sort. */
export function Headers({ of, className }: { of: readonly Header[]; className?: string }) {
  return (
    <thead>
      <tr>
        {of.map((header) => {
          if (header === false) return null;
          if (typeof header === "object" && "hidden" in header)
            return (
              <Th key={header.hidden}>
                <span className="sr-only">{header.hidden}</span>
              </Th>
            );
          const [text, style] = typeof header === "string" ? [header] : header;
          return (
            <Th key={text} className={cn(className, style)}>
              {text}
            </Th>
          );
        })}
      </tr>
    </thead>
  );
}

export function Td({ className, ...rest }: ComponentProps<"td">) {
  return <td {...rest} className={cn("h-9 border-b border-line px-3 py-1.5 align-middle", className)} />;
}
