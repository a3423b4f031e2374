"use client";

import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useSyncExternalStore } from "react";
import { toPreviewBody } from "@/components/preview/draft";
import { ExplanationView, Section } from "@/components/preview/explanation";
import { Inputs } from "@/components/preview/inputs";
import { PolicyTraces } from "@/components/preview/policy-traces";
import { PreviewError } from "@/components/preview/preview-error";
import { Results } from "@/components/preview/results";
import { useDraft } from "@/components/preview/use-draft";
import { useExplanation, usePreview } from "@/components/preview/use-preview";
import { EmptyState } from "@/components/ui/empty-state";
import { Skeleton } from "@/components/ui/skeleton";

/**
 * Preview as agent: what a caller would be handed, and why. Mounted only in the browser, because its first
 * value (the claims of this tab) is only known there.
 */
export function PreviewScreen() {
  const mounted = useSyncExternalStore(never, yes, no);
  return mounted ? <Screen /> : <PreviewSkeleton />;
}

const view = { tab: parseAsStringLiteral(["visible", "hidden"]).withDefault("visible"), tool: parseAsString };

function Screen() {
  const { draft, change } = useDraft();
  const [{ tab, tool }, setView] = useQueryStates(view);
  const asked = toPreviewBody(draft);
  const named = draft.caller.kind === "claims" || draft.caller.kind === "execution" || draft.caller.name !== "";
  const body = asked.ok && named ? asked.body : null;
  const preview = usePreview(body);
  const explained = useExplanation(body, tool);
  const answer = preview.data;
  const explanation = tool === null ? undefined : explained.data?.explanations?.[tool];
  return (
    <div className="grid min-h-0 flex-1 lg:grid-cols-[17rem_minmax(0,1fr)_21rem] min-[86rem]:grid-cols-[19rem_minmax(0,1fr)_26rem]">
      <section aria-labelledby="inputs" className="min-h-0 overflow-y-auto border-line p-5 lg:border-r">
        <h1 id="inputs" className="mb-3 text-lg font-semibold">
          Preview as agent
        </h1>
        <Inputs draft={draft} change={change} resolved={answer?.claims} />
      </section>
      <section aria-label="Resolved tools" className="flex min-h-0 flex-col p-5">
        {preview.error !== null && <PreviewError error={preview.error} />}
        {answer === undefined ? (
          body === null ? (
            <EmptyState title={named ? "The claims are not valid JSON yet" : "Choose a caller"} />
          ) : (
            preview.error === null && <ResultsSkeleton />
          )
        ) : (
          <Results
            answer={answer}
            body={body}
            stale={preview.isPlaceholderData || body === null || preview.error !== null}
            tab={tab}
            onTab={(next) => void setView({ tab: next }, { history: "push" })}
            selected={tool}
            onSelect={(id) => void setView({ tool: id })}
            onPersona={(name) => change({ caller: { kind: "persona", name } })}
          />
        )}
      </section>
      <aside
        aria-label="Explanation"
        tabIndex={0}
        className="min-h-0 overflow-y-auto border-line bg-canvas p-5 lg:border-l"
      >
        {explanation !== undefined && explained.data !== undefined ? (
          <ExplanationView explanation={explanation} trace={explained.data.trace} />
        ) : (
          answer !== undefined && (
            <div className="flex flex-col gap-4">
              <p className="text-sm text-muted">
                {tool === null
                  ? "Select a tool to see what each step said about it."
                  : `There is no tool ${tool} in this configuration.`}
              </p>
              <Section title="Policies that match">
                <PolicyTraces policies={answer.trace.policies} />
              </Section>
            </div>
          )
        )}
      </aside>
    </div>
  );
}

function PreviewSkeleton() {
  return (
    <div className="grid min-h-0 flex-1 lg:grid-cols-[17rem_minmax(0,1fr)_21rem] min-[86rem]:grid-cols-[19rem_minmax(0,1fr)_26rem]">
      <div className="flex flex-col gap-3 border-line p-5 lg:border-r">
        <h1 className="text-lg font-semibold">Preview as agent</h1>
        <Skeleton className="h-8" />
        <Skeleton className="h-48" />
        <Skeleton className="h-8" />
      </div>
      <div className="p-5">
        <ResultsSkeleton />
      </div>
      <div className="border-line lg:border-l" />
    </div>
  );
}

function ResultsSkeleton() {
  return (
    <div className="flex flex-col gap-4">
      <Skeleton className="h-6 w-64" />
      <Skeleton className="h-12" />
      <Skeleton className="h-96" />
    </div>
  );
}

const never = () => () => {};
const yes = () => true;
const no = () => false;
