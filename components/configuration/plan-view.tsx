"use client";

import { useEffect, useRef } from "react";
import { Sentences } from "@/components/resource/review-dialog";
import { Badge } from "@/components/ui/badge";
import { WithCode } from "@/components/ui/with-code";
import type { ConfigPlan } from "@/lib/resources/config";
import { planSentences, planTotals } from "@/lib/resources/plan-sentences";

/** What applying a document would do: totals, sentences, what refuses it and what is suspicious. */
export function PlanView({ plan }: { plan: ConfigPlan }) {
  const box = useRef<HTMLElement>(null);
  // It appears below a long document: whoever pressed the button has to see it.
  useEffect(() => {
    // Newer browsers answer a promise, which is no clean-up.
    void box.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <section ref={box} aria-label="Plan" className="flex flex-col gap-3 rounded-lg border border-line bg-raised p-4">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="text-sm font-semibold">Plan</h2>
        <Badge tone="outline">{plan.mode === "merge" ? "adds and changes only" : "replaces stated sections"}</Badge>
        <span className="text-xs text-faint">on revision {plan.basis}</span>
      </div>
      <p className="text-sm tabular-nums">{planTotals(plan)}</p>
      <Sentences sentences={planSentences(plan)} />
      <Problems title="This would be refused:" tone="bg-deny-soft text-deny" problems={plan.errors} />
      <Problems title="Worth a look:" tone="bg-warn-soft text-warn" problems={plan.warnings} />
    </section>
  );
}

interface ProblemsProps {
  title: string;
  tone: string;
  problems: readonly { path: string; message: string }[];
}

/** Problems of a document, each at its path. */
export function Problems({ title, tone, problems }: ProblemsProps) {
  if (problems.length === 0) return null;
  return (
    <div role="alert" className={`rounded-lg px-3 py-2 text-sm ${tone}`}>
      <p className="font-medium">{title}</p>
      <ul className="mt-1 max-h-72 list-disc overflow-y-auto pl-5">
        {problems.map(({ path, message }) => (
          <li key={`${path} ${message}`} className="break-words">
            {path !== "" && <code className="mr-1 font-mono text-xs">{path}</code>}
            <WithCode text={message} />
          </li>
        ))}
      </ul>
    </div>
  );
}
