import { ChartColumn, Table2 } from "lucide-react";
import { useState, type ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";

interface ChartCardProps {
  title: string;
  /** The meaning of each colour, and the values under the pointer. */
  legend?: ReactNode;
  chart: ReactNode;
  /** The same figures as a table, for people who do not see the chart. */
  table: ReactNode;
  stale?: boolean;
}

/** A chart, and a table with the same figures and links. */
export function ChartCard({ title, legend, chart, table, stale = false }: ChartCardProps) {
  const [asTable, setAsTable] = useState(false);
  return (
    <Card
      title={title}
      stale={stale}
      aside={
        <>
          {!asTable && legend}
          <Button
            variant="ghost"
            size="icon"
            aria-pressed={asTable}
            aria-label={`${title} as a table`}
            onClick={() => setAsTable(!asTable)}
          >
            {asTable ? <ChartColumn aria-hidden /> : <Table2 aria-hidden />}
          </Button>
        </>
      }
    >
      {asTable ? <div className="max-h-72 overflow-auto">{table}</div> : chart}
    </Card>
  );
}

interface CardProps {
  title: string;
  aside?: ReactNode;
  children: ReactNode;
  stale?: boolean;
}

/** One part of a page of figures. */
export function Card({ title, aside, children, stale = false }: CardProps) {
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-3 rounded-lg border border-line p-4">
      <div className="flex min-h-7 items-center gap-4">
        <h2 className="text-sm font-semibold whitespace-nowrap">{title}</h2>
        <div className="ml-auto flex min-w-0 items-center gap-3">{aside}</div>
      </div>
      <div className={cn("min-w-0 transition-opacity", stale && "opacity-55")}>{children}</div>
    </section>
  );
}

/** The colours with their names. While the pointer is over a mark, `summary` with its values replaces them. */
export function Legend({
  items,
  summary,
}: {
  items: readonly { readonly key: string; readonly label: string; readonly fill: string }[];
  summary: string | null;
}) {
  if (summary !== null) return <p className="truncate text-xs text-muted tabular-nums">{summary}</p>;
  return (
    <ul className="flex min-w-0 flex-wrap gap-x-3 text-xs text-muted">
      {items.map(({ key, label, fill }) => (
        <li key={key} className="flex items-center gap-1.5">
          <span aria-hidden className={cn("size-2 rounded-[2px] forced-color-adjust-none", fill)} />
          {label}
        </li>
      ))}
    </ul>
  );
}
