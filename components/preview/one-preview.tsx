import { useState, type ReactNode } from "react";
import { Columns } from "@/components/preview/results/columns";
import { completeBody, isCallerChosen, isNamed } from "@/components/preview/draft";
import { callerWords } from "@/components/preview/inputs/caller-words";
import { ExplanationView, Section } from "@/components/preview/results/explanation";
import { Inputs } from "@/components/preview/inputs/inputs";
import { ManifestMenu } from "@/components/preview/results/manifest-menu";
import { PolicyTraces } from "@/components/preview/results/policy-traces";
import { PreviewError } from "@/components/preview/preview-error";
import { Results, ResultsSkeleton, type ResultTab } from "@/components/preview/results/results";
import { mayHave } from "@/components/preview/to-assertion";
import { SaveAssertion } from "@/components/preview/save-assertion";
import type { DraftControl } from "@/components/preview/use-draft";
import { firstPage, useExplanation, usePreview } from "@/components/preview/use-preview";
import { EmptyState } from "@/components/ui/empty-state";
import type { PreviewOutput } from "@/lib/contracts/decisions/preview";

/** The displayed part of an answer. */
export interface PreviewView {
  readonly tab: ResultTab;
  readonly tool: string | null;
}

interface OnePreviewProps extends DraftControl {
  heading: ReactNode;
  view: PreviewView;
  onView: (part: Partial<PreviewView>) => void;
  /** More actions for the answer, shown first. */
  actions?: ReactNode;
}

/** The tools of one caller, with the reasons. */
export function OnePreview({ draft, change, heading, view: { tab, tool }, onView, actions }: OnePreviewProps) {
  const body = completeBody(draft);
  const listed = firstPage(body);
  const preview = usePreview(listed);
  const [filter, setFilter] = useState("");
  const isSearched = filter.trim() !== "" && (preview.data?.moreHidden ?? 0) > 0;
  const found = usePreview(isSearched && listed !== null ? { ...listed, search: filter } : null);
  const explained = useExplanation(body, tool);
  const { data: answer, isOutdated } = preview;
  const error = preview.error ?? (isSearched ? found.error : null);
  const explanation = tool === null ? undefined : explained.data?.explanations?.[tool];
  return (
    <Columns
      explained={tool}
      heading={heading}
      caller={callerWords(draft)}
      isCallerChosen={isCallerChosen(draft)}
      inputs={<Inputs draft={draft} change={change} resolved={answer && { ...answer, isOutdated }} />}
      results={
        <>
          {error !== null && <PreviewError error={error} />}
          {answer === undefined || !isNamed(draft) ? (
            body === null ? (
              <EmptyState title={isNamed(draft) ? "The claims are not valid JSON yet" : "Choose a caller"} />
            ) : (
              error === null && <ResultsSkeleton />
            )
          ) : (
            <Results
              answer={answer}
              hidden={isSearched ? (found.data ?? null) : answer}
              filter={filter}
              onFilter={setFilter}
              stale={isOutdated || body === null || error !== null}
              tab={tab}
              onTab={(next) => onView({ tab: next })}
              selected={tool}
              onSelect={(id) => onView({ tool: id })}
              onCaller={(caller) => change({ caller })}
              actions={
                <>
                  {actions}
                  <SaveAssertion answer={answer} draft={draft} selected={tool} />
                  {body !== null && <ManifestMenu body={body} />}
                </>
              }
            />
          )}
        </>
      }
      explanation={
        !isNamed(draft) ? null : explanation !== undefined && explained.data !== undefined ? (
          <ExplanationView explanation={explanation} answer={explained.data} />
        ) : (
          answer !== undefined && <Unselected answer={answer} tool={tool} />
        )
      }
    />
  );
}

/** The third column while no tool is explained. */
function Unselected({ answer, tool }: { answer: PreviewOutput; tool: string | null }) {
  const known = tool === null || mayHave(answer, tool);
  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm text-muted">
        {known ? "Select a tool to see the result of each step." : `There is no tool ${tool} in this configuration.`}
      </p>
      <Section title="Policies that match">
        <PolicyTraces trace={answer.trace} />
      </Section>
    </div>
  );
}
