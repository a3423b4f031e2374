import { ArrowRight } from "lucide-react";
import { STEP_WORDS } from "@/lib/contracts/decisions/reason-words";
import { cn } from "@/components/ui/cn";
import type { PreviewOutput } from "@/lib/contracts/decisions/preview";

type Steps = PreviewOutput["trace"]["steps"];

/** How many tools each step left: the whole resolution as a bar, and in one line that wraps. */
export function Funnel({ steps }: { steps: Steps }) {
  const total = steps[0]?.before ?? 0;
  return (
    <div className="flex flex-col gap-2">
      {total > 0 && <Bar steps={steps} total={total} />}
      <ol aria-label="Tools left after each step" className="flex flex-wrap items-center gap-x-1.5 gap-y-1 text-xs">
        <li className="flex items-baseline gap-1">
          <span className="text-muted">Catalogue</span>
          <span className="font-semibold tabular-nums">{total.toLocaleString("en")}</span>
          {steps.length > 0 && <Arrow />}
        </li>
        {steps.map(({ name, before, after }, index) => (
          <li key={name} className="flex items-center gap-1.5">
            <span className="flex items-baseline gap-1">
              <span className={cn(after < before ? "text-ink" : "text-faint")}>{STEP_WORDS[name]}</span>
              <span className={cn("tabular-nums", after < before ? "font-semibold" : "text-faint")}>
                {after.toLocaleString("en")}
              </span>
              {after < before && (
                <span className="text-warn tabular-nums">−{(before - after).toLocaleString("en")}</span>
              )}
            </span>
            {index < steps.length - 1 && <Arrow />}
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Stands after a step, so that no line of the list begins with an arrow. */
function Arrow() {
  return <ArrowRight aria-hidden className="size-3 shrink-0 self-center text-faint" />;
}

/** The remaining tools, then those that each step removed, last step first. The list below has the same figures. */
function Bar({ steps, total }: { steps: Steps; total: number }) {
  const left = steps.at(-1)?.after ?? total;
  const removed = steps.filter(({ before, after }) => after < before).toReversed();
  return (
    <div aria-hidden className="flex h-1.5 gap-px overflow-hidden rounded-full bg-hover forced-color-adjust-none">
      <span
        className="bg-accent-fill transition-[width] duration-200 motion-reduce:transition-none"
        style={{ width: share(left, total) }}
      />
      {removed.map(({ name, before, after }, index) => (
        <span
          key={name}
          title={`${STEP_WORDS[name]} −${(before - after).toLocaleString("en")}`}
          className="bg-warn transition-[width] duration-200 motion-reduce:transition-none"
          style={{ width: share(before - after, total), opacity: 0.75 / (index + 1) }}
        />
      ))}
    </div>
  );
}

function share(part: number, whole: number): string {
  return `${(100 * part) / whole}%`;
}
