import { useState } from "react";
import { callerWords } from "@/components/preview/inputs/caller-words";
import { Columns } from "@/components/preview/results/columns";
import { ComparisonResults } from "@/components/preview/results/comparison-results";
import {
  completeBody,
  BLANK_DRAFT,
  isCallerChosen,
  isNamed,
  type PreviewBody,
  type PreviewDraft,
} from "@/components/preview/draft";
import { Inputs } from "@/components/preview/inputs/inputs";
import { PreviewError } from "@/components/preview/preview-error";
import { ResultsSkeleton } from "@/components/preview/results/results";
import { Side } from "@/components/preview/two-previews";
import { useTypedNames } from "@/components/resource/use-names";
import { useComparison, type ComparisonBody } from "@/components/preview/use-preview";
import { Drawer } from "@/components/ui/overlays/drawer";
import { EmptyState } from "@/components/ui/empty-state";
import { Segmented } from "@/components/ui/forms/segmented";

type EditedRule = NonNullable<PreviewBody["draft"]>;

const NAMES = { before: "Current", after: "With this draft" } as const;

/** A panel over an editor: a caller's tools now, and with this edit. Saves nothing. */
export function DraftPreview({ rule, onClose }: { rule: EditedRule; onClose: () => void }) {
  // The default is the first persona, because its claims show more than a caller without any.
  const { first, isPending } = useTypedNames("personas");
  const [chosen, setChosen] = useState<PreviewDraft | null>(null);
  const [persona] = first;
  const caller = persona === undefined ? BLANK_DRAFT.caller : { kind: "persona" as const, name: persona.value };
  const draft = chosen ?? { ...BLANK_DRAFT, caller };
  const [tool, setTool] = useState<string | null>(null);
  const body = isPending ? null : toComparison(rule, completeBody(draft));
  const { data: answer, error, isOutdated } = useComparison(body);
  return (
    <Drawer title="Preview with this draft" onClose={onClose}>
      <Columns
        explained={tool}
        heading={<h2 className="text-base font-semibold">Inputs</h2>}
        caller={callerWords(draft)}
        isCallerChosen={isPending || isCallerChosen(draft)}
        inputs={
          <Inputs
            draft={draft}
            change={(part) => setChosen({ ...draft, ...part })}
            resolved={answer && { ...answer.before, isOutdated }}
            rules={false}
          />
        }
        results={
          <>
            {error !== null && <PreviewError error={error} />}
            {answer !== undefined && isNamed(draft) ? (
              <ComparisonResults
                answer={answer}
                names={NAMES}
                stale={isOutdated || error !== null || body === null}
                selected={tool}
                onSelect={setTool}
                actions={null}
              />
            ) : body === null && !isPending ? (
              <EmptyState title="Choose a caller" />
            ) : (
              error === null && <ResultsSkeleton />
            )}
          </>
        }
        explanation={<Explanation body={body} tool={tool} />}
      />
    </Drawer>
  );
}

function Explanation({ body, tool }: { body: ComparisonBody | null; tool: string | null }) {
  const [shown, setShown] = useState<"before" | "after">("after");
  if (tool === null)
    return <p className="text-sm text-muted">Select a tool to see the result of each step, now and with this draft.</p>;
  return (
    <div className="flex flex-col gap-4">
      <Segmented
        label="Explanation"
        value={shown}
        onChange={setShown}
        options={(["before", "after"] as const).map((value) => ({ value, label: NAMES[value] }))}
      />
      <Side key={shown} body={body} side={shown} tool={tool} />
    </div>
  );
}

/** The same caller on both sides, with the stored and the edited machine. A new machine has no stored side. */
function toComparison(rule: EditedRule, request: PreviewBody | null): ComparisonBody | null {
  if (request === null) return null;
  const edited = rule.resource === "machines" && (request.machine ?? null) === null;
  const before = edited
    ? { ...request, machine: rule.id ?? null, ...(rule.id === undefined && { state: null }) }
    : request;
  return { before, after: { ...request, draft: rule } };
}
