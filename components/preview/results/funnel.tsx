import { ArrowRight } from "lucide-react";
import { useState } from "react";
import { STEP_WORDS } from "@/lib/contracts/decisions/reason-words";
import { cn } from "@/components/ui/cn";
import { counted } from "@/components/ui/counted";
import type { PreviewOutput } from "@/lib/contracts/decisions/preview";

type Steps = PreviewOutput["trace"]["steps"];

/**
 * How many tools each step left: the whole resolution as a bar, and in one line that wraps. Steps that hide nothing are
 * shown on request.
 */
export function Funnel({ steps }: { steps: Steps }) {
  const [all, setAll] = useState(false);
  const total = steps[0]?.before ?? 0;
  const shown = all ? steps : steps.filter(hides);
  const idle = steps.length - steps.filter(hides).length;
  return (
    <div className="flex flex-col gap-2">
      {total > 0 && <Bar steps={steps} total={total} />}
      <ol aria-label="Tools left after each step" className="flex flex-wrap items-center gap-x-1.5 gap-y-1 text-xs">
        <li className="flex items-baseline gap-1">
          <span className="text-muted">All tools</span>
          <span className="font-semibold tabular-nums">{total.toLocaleString("en")}</span>
          {shown.length > 0 && <Arrow />}
        </li>
        {shown.map((step, index) => (
          <li key={step.name} className="flex items-center gap-1.5">
            <Step step={step} />
            {index < shown.length - 1 && <Arrow />}
          </li>
        ))}
        {idle > 0 && (
          <li>
            <button
              type="button"
              aria-expanded={all}
              onClick={() => setAll(!all)}
              className="rounded text-muted underline decoration-dotted underline-offset-2 hover:text-ink"
            >
              {all ? "Only steps that hide tools" : idleInWords(idle, steps.length)}
            </button>
          </li>
        )}
      </ol>
    </div>
  );
}

/** The steps that the funnel leaves out. "Other" steps need a step that hides a tool. */
function idleInWords(idle: number, all: number): string {
  return idle === all ? "No step hides a tool" : `${counted(idle, "other step hides", "other steps hide")} no tool`;
}

function hides({ before, after }: Steps[number]): boolean {
  return after < before;
}

function Step({ step }: { step: Steps[number] }) {
  const { name, before, after } = step;
  return (
    <span className="flex items-baseline gap-1">
      <span className={cn(hides(step) ? "text-ink" : "text-faint")}>{STEP_WORDS[name]}</span>
      <span className={cn("tabular-nums", hides(step) ? "font-semibold" : "text-faint")}>
        {after.toLocaleString("en")}
      </span>
      {hides(step) && <span className="text-warn tabular-nums">−{(before - after).toLocaleString("en")}</span>}
    </span>
  );
}

/** Stands after a step, so that no line of the list begins with an arrow. */
function Arrow() {
  return <ArrowRight aria-hidden className="size-3 shrink-0 self-center text-faint" />;
}

/** The remaining tools, then those that each step removed, last step first. The list below has the same figures. */
function Bar({ steps, total }: { steps: Steps; total: number }) {
  const left = steps.at(-1)?.after ?? total;
  const removed = steps.filter(hides).toReversed();
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
