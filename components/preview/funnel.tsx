import { ArrowRight } from "lucide-react";
import { STEP_WORDS } from "@/components/preview/reason-words";
import { cn } from "@/components/ui/cn";
import type { PreviewOutput } from "@/lib/resources/preview";

/** How many tools each step left: the whole resolution in one line that wraps. */
export function Funnel({ steps }: { steps: PreviewOutput["trace"]["steps"] }) {
  const total = steps[0]?.before ?? 0;
  return (
    <ol
      aria-label="Tools left after each step"
      className="flex flex-wrap items-center gap-x-1.5 gap-y-1 rounded-md border border-line bg-panel px-3 py-2 text-xs"
    >
      <li className="flex items-baseline gap-1">
        <span className="text-muted">Catalogue</span>
        <span className="font-semibold tabular-nums">{total.toLocaleString("en")}</span>
      </li>
      {steps.map(({ name, before, after }) => (
        <li key={name} className="flex items-center gap-1.5">
          <ArrowRight aria-hidden className="size-3 text-faint" />
          <span className="flex items-baseline gap-1">
            <span className={cn(after < before ? "text-ink" : "text-faint")}>{STEP_WORDS[name]}</span>
            <span className={cn("tabular-nums", after < before ? "font-semibold" : "text-faint")}>
              {after.toLocaleString("en")}
            </span>
            {after < before && <span className="text-warn tabular-nums">−{(before - after).toLocaleString("en")}</span>}
          </span>
        </li>
      ))}
    </ol>
  );
}
