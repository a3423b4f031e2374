import { useEffect, useRef, useState, type ReactNode } from "react";
import { DifferenceList } from "@/components/configuration/row-differences";
import { Impact } from "@/components/impact/impact";
import { PlanWarnings } from "@/components/resource/editor/plan-warnings";
import { ProblemList } from "@/components/resource/editor/problem-list";
import { Sentences } from "@/components/resource/editor/review-dialog";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { lazyPart } from "@/components/ui/lazy-part";
import { Skeleton } from "@/components/ui/skeleton";
import type { ConfigPlan } from "@/lib/contracts/changes/config";
import { planSentences, planTotals } from "@/lib/contracts/changes/plan-sentences";

interface PlanViewProps {
  plan: ConfigPlan;
  /** The text that was planned. */
  document: string;
  /** Whether the changes are described beside the plan. */
  isDescribed?: boolean;
  children: ReactNode;
}

const DocumentDiff = lazyPart(
  async () => (await import("@/components/configuration/document-diff")).DocumentDiff,
  <Skeleton className="h-48" />,
);

/** The effect of a document: sentences, errors, changed tools per caller, warnings, and the raw diff. */
export function PlanView({ plan, document, isDescribed = false, children }: PlanViewProps) {
  const box = useRef<HTMLElement>(null);
  // The plan appears below a long document, so it scrolls into view.
  useEffect(() => {
    // `void`: newer browsers return a promise, and React would take it for a clean-up function.
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
      {!isDescribed && <Sentences sentences={planSentences(plan)} />}
      {!isDescribed && plan.differences.length > 0 && <DifferenceList changes={plan.differences} />}
      <ProblemList title="This would be refused:" tone="deny" problems={plan.errors} />
      {plan.errors.length === 0 && plan.created + plan.changed + plan.deleted > 0 && (
        <Impact
          // The impact is measured again when the plan is of another revision.
          key={plan.basis}
          change={{ resource: "document", config: document, mode: plan.mode }}
          label="Impact of the document"
          className="max-h-96"
        />
      )}
      <PlanWarnings title="Warnings" warnings={plan.warnings} inDocument />
      <RawDiff plan={plan} document={document} />
      {children}
    </section>
  );
}

/** The raw diff of the two documents, behind a button. */
function RawDiff({ plan, document }: Pick<PlanViewProps, "plan" | "document">) {
  const [open, setOpen] = useState(false);
  return (
    <div className="flex flex-col gap-2">
      <Button size="sm" className="self-start" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? "Hide the raw diff" : "Show the raw diff"}
      </Button>
      {open && <DocumentDiff document={document} revision={plan.basis} merges={plan.mode === "merge"} />}
    </div>
  );
}
