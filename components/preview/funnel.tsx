import { STEP_WORDS } from "@/components/preview/reason-words";
import { cn } from "@/components/ui/cn";
import type { PreviewOutput } from "@/lib/resources/preview";

/** How many tools each step left: the whole resolution in one line. */
export function Funnel({ steps }: { steps: PreviewOutput["trace"]["steps"] }) {
  const total = steps[0]?.before ?? 0;
  return (
    <ol aria-label="Tools left after each step" className="grid grid-cols-[repeat(auto-fit,minmax(4.25rem,1fr))] gap-1">
      <Bar label="Catalogue" count={total} total={total} removed={0} />
      {steps.map((step) => (
        <Bar
          key={step.name}
          label={STEP_WORDS[step.name]}
          count={step.after}
          total={total}
          removed={step.before - step.after}
        />
      ))}
    </ol>
  );
}

function Bar({ label, count, total, removed }: { label: string; count: number; total: number; removed: number }) {
  return (
    <li className="flex min-w-0 flex-col gap-1">
      <span className="truncate text-2xs text-faint" title={label}>
        {label}
      </span>
      <span className="flex items-baseline gap-1 text-sm font-medium tabular-nums">
        {count.toLocaleString("en")}
        {removed > 0 && <span className="text-2xs font-normal text-warn">−{removed.toLocaleString("en")}</span>}
      </span>
      <span aria-hidden className="h-1 overflow-hidden rounded-full bg-hover">
        <span
          className={cn("block h-full rounded-full", removed > 0 ? "bg-warn" : "bg-accent")}
          style={{ width: `${total === 0 ? 0 : Math.max(count === 0 ? 0 : 2, (count / total) * 100)}%` }}
        />
      </span>
    </li>
  );
}
