import { ArrowRight, Bot, ScrollText, ShieldCheck, Wrench, type LucideIcon } from "lucide-react";

const STEPS: readonly { readonly Icon: LucideIcon; readonly title: string; readonly text: string }[] = [
  { Icon: Bot, title: "Agent", text: "lists its tools and calls them" },
  { Icon: ShieldCheck, title: "Quartermaster", text: "checks policies, groups, state and limits" },
  { Icon: Wrench, title: "Tools", text: "run only if the rules allow it" },
  { Icon: ScrollText, title: "Log", text: "records every decision and its reason" },
];

/** What the product does, in one sentence and one small diagram. */
export function WhatItDoes() {
  return (
    <section aria-label="What Quartermaster does" className="rounded-lg border border-line bg-panel p-4">
      <p className="text-sm font-medium text-pretty">
        Quartermaster decides which tools an AI agent may see and call, runs the calls, and logs the reason for every
        decision.
      </p>
      <ol className="mt-3 flex items-stretch gap-2 max-md:flex-col">
        {STEPS.map(({ Icon, title, text }, index) => (
          <li key={title} className="flex flex-1 items-center gap-2 max-md:flex-col">
            {index > 0 && <ArrowRight aria-hidden className="size-3.5 shrink-0 text-faint max-md:rotate-90" />}
            <span className="flex h-full w-full flex-1 flex-col gap-0.5 rounded-md border border-line bg-canvas px-3 py-2">
              <span className="flex items-center gap-1.5 text-sm font-medium">
                <Icon aria-hidden className="size-3.5 shrink-0 text-accent" />
                {title}
              </span>
              <span className="text-xs text-pretty text-muted">{text}</span>
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
