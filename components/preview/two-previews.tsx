import type { ReactNode } from "react";
import { Columns } from "@/components/preview/results/columns";
import { CompareInputs } from "@/components/preview/inputs/compare-inputs";
import { CompareMenu } from "@/components/preview/inputs/compare-menu";
import { ComparisonResults } from "@/components/preview/results/comparison-results";
import { callerWords } from "@/components/preview/inputs/caller-words";
import { ExplanationView } from "@/components/preview/results/explanation";
import { PreviewError } from "@/components/preview/preview-error";
import { ResultsSkeleton } from "@/components/preview/results/results";
import { toComparisonBody, type Comparing, type ComparingState } from "@/components/preview/use-comparing";
import type { DraftControl } from "@/components/preview/use-draft";
import { useComparison, useExplanation, type ComparisonBody } from "@/components/preview/use-preview";
import { EmptyState } from "@/components/ui/empty-state";
import { Segmented } from "@/components/ui/forms/segmented";

interface TwoPreviewsProps {
  heading: ReactNode;
  first: DraftControl;
  second: DraftControl;
  comparing: ComparingState & { compare: Comparing };
  onCompare: (kind: Comparing) => void;
  onEnd: () => void;
  tool: string | null;
  onTool: (id: string) => void;
}

/** Compares two callers, or one caller under two sets of rules, with the reasons for each difference. */
export function TwoPreviews(props: TwoPreviewsProps) {
  const { heading, first, second, comparing, onCompare, onEnd, tool, onTool } = props;
  const { compare, than, shown } = comparing;
  const body = toComparisonBody(comparing, first.draft, second.draft);
  const { data: answer, error, isOutdated } = useComparison(body);
  const names = namesOf(compare, than, first, second);
  return (
    <Columns
      explained={tool}
      heading={heading}
      caller={`${names.before} · ${names.after}`}
      isCallerChosen={body !== null && (compare !== "caller" || callerWords(first.draft) !== callerWords(second.draft))}
      inputs={
        <CompareInputs first={first} second={second} comparing={comparing} answer={answer} isOutdated={isOutdated} />
      }
      results={
        <>
          {error !== null && <PreviewError error={error} />}
          {answer === undefined || body === null ? (
            body === null ? (
              <EmptyState
                title={MISSING[compare]}
                action={<CompareMenu comparing={compare} onCompare={onCompare} onEnd={onEnd} />}
              />
            ) : (
              error === null && <ResultsSkeleton />
            )
          ) : (
            <ComparisonResults
              answer={answer}
              names={names}
              stale={isOutdated || error !== null}
              selected={tool}
              onSelect={onTool}
              actions={<CompareMenu comparing={compare} onCompare={onCompare} onEnd={onEnd} />}
            />
          )}
        </>
      }
      explanation={
        tool === null ? (
          <p className="text-sm text-muted">Select a tool to see the result of each step, before and after.</p>
        ) : (
          <div className="flex flex-col gap-4">
            <Segmented
              label="Explanation"
              value={shown}
              onChange={(next) => comparing.show({ shown: next })}
              options={[
                { value: "before", label: names.before },
                { value: "after", label: names.after },
              ]}
            />
            <Side key={shown} body={body} side={shown} tool={tool} />
          </div>
        )
      }
    />
  );
}

const MISSING: Readonly<Record<Comparing, string>> = {
  caller: "Choose both callers",
  revision: "Choose the revision to compare with",
  draft: "Enter a draft of the rules",
};

function namesOf(compare: Comparing, than: number | null, first: DraftControl, second: DraftControl) {
  if (compare === "revision") return { before: `Revision ${than ?? "…"}`, after: rulesOf(first) };
  if (compare === "draft") return { before: rulesOf(first), after: "Draft" };
  const names = { before: callerWords(first.draft), after: callerWords(second.draft) };
  return names.before === names.after ? { before: "First", after: "Second" } : names;
}

function rulesOf({ draft: { revision } }: DraftControl): string {
  return revision === null ? "Current" : `Revision ${revision}`;
}

/** One tool under one side's rules and inputs. */
export function Side({ body, side, tool }: { body: ComparisonBody | null; side: "before" | "after"; tool: string }) {
  const explained = useExplanation(body?.[side] ?? null, tool);
  const explanation = explained.data?.explanations?.[tool];
  if (explained.isError) return <p className="text-sm text-muted">This preview has no tool {tool}.</p>;
  if (explanation === undefined || explained.data === undefined) return null;
  return <ExplanationView explanation={explanation} answer={explained.data} />;
}
