import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "@/components/ui/cn";

interface StepProps {
  number: number;
  title: string;
  done: boolean;
  next: boolean;
  /** The purpose or the state of the step. */
  children: ReactNode;
  action?: ReactNode;
}

/** One step of the instructions: what to do, whether it is done, and a button that does it. */
export function Step({ number, title, done, next, children, action }: StepProps) {
  return (
    <li
      aria-current={next ? "step" : undefined}
      className="flex gap-3 border-b border-line px-4 py-3 last:border-b-0 aria-[current=step]:bg-panel"
    >
      <span
        className={cn(
          "mt-px flex size-5 shrink-0 items-center justify-center rounded-full border border-line text-xs font-medium text-muted tabular-nums",
          done && "border-transparent bg-allow-soft text-allow",
        )}
      >
        {done ? <Check aria-hidden className="size-3" /> : <span aria-hidden>{number}</span>}
        <span className="sr-only">{done ? "Done:" : "To do:"}</span>
      </span>
      <div className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-64 flex-1">
          <h2 className="text-sm font-medium">{title}</h2>
          <div className="mt-0.5 text-sm text-muted">{children}</div>
        </div>
        {action !== undefined && <div className="flex max-w-full gap-2 empty:hidden">{action}</div>}
      </div>
    </li>
  );
}
