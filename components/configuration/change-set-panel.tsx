import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { ApplyProblem } from "@/components/configuration/apply-problem";
import { conflictsOf, toDocument, useChangeSet, type StagedEdit } from "@/components/configuration/change-set";
import { PlanView } from "@/components/configuration/plan-view";
import { planOf, PLANS, useApply, type DocumentInput } from "@/components/configuration/use-apply";
import { changesOf, sentencesOf, statedInWords } from "@/components/resource/editor/changes";
import { ProblemList } from "@/components/resource/editor/problem-list";
import { Sentences } from "@/components/resource/editor/review-dialog";
import { Problem } from "@/components/resource/request";
import { useIsShown } from "@/components/resource/use-is-shown";
import { hrefOf } from "@/components/resource/view";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { counted } from "@/components/ui/counted";
import { EmptyState } from "@/components/ui/empty-state";
import { toast } from "@/components/ui/overlays/toast";
import { LinkButton } from "@/components/ui/link-button";
import { Skeleton } from "@/components/ui/skeleton";
import { toContent } from "@/components/ui/to-content";
import { KINDS } from "@/lib/resources/kinds";

/** The person's change set: its edits, their common effect, and the button that saves them in one revision. */
export function ChangeSetPanel({ onApplied }: { onApplied: () => void }) {
  const { edits, remove, putBack } = useChangeSet();
  if (edits.length === 0)
    return (
      <EmptyState title="No edits">
        A change set saves edits of several rows in one revision, so that no caller sees a state in between. Edit a row,
        and press “Add to change set” instead of saving.
      </EmptyState>
    );
  const discard = (gone: readonly StagedEdit[]) => {
    const removed = remove(gone);
    toContent();
    if (removed.length > 0)
      toast({ title: `Removed ${counted(removed.length, "edit")}`, undo: () => putBack(removed) });
  };
  return (
    <div className="@container">
      <div className="grid items-start gap-x-8 gap-y-4 @5xl:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          <p className="text-sm text-pretty text-muted">
            Only this browser keeps these edits, and nothing of them is saved yet. A rename or a deletion is saved
            alone.
          </p>
          <ul className="flex flex-col divide-y divide-line rounded-lg border border-line">
            {edits.map((edit) => (
              <EditItem key={`${edit.resource} ${edit.id}`} edit={edit} onRemove={() => discard([edit])} />
            ))}
          </ul>
          <Button className="self-start" onClick={() => discard(edits)}>
            Remove all
          </Button>
        </div>
        <CommonPlan edits={edits} onApplied={onApplied} onDone={remove} />
      </div>
    </div>
  );
}

function EditItem({ edit, onRemove }: { edit: StagedEdit; onRemove: () => void }) {
  const { resource, id, isNew, before, after } = edit;
  const [word] = KINDS[resource].words;
  const href = isNew ? `/admin/${resource}/new?${new URLSearchParams({ staged: id })}` : hrefOf(resource, id);
  return (
    <li className="flex flex-col gap-1.5 px-3 py-2">
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <Badge tone={isNew ? "allow" : "warn"}>{isNew ? "new" : "edited"}</Badge>
        <span className="text-muted">{word}</span>
        <span className="min-w-0 font-mono text-xs break-all">{id}</span>
        <span className="ml-auto flex gap-1">
          <LinkButton size="sm" variant="ghost" aria-label={`Edit ${word} ${id}`} href={href}>
            Edit
          </LinkButton>
          <Button size="sm" variant="ghost" aria-label={`Remove ${word} ${id}`} onClick={onRemove}>
            Remove
          </Button>
        </span>
      </div>
      <Sentences sentences={isNew ? statedInWords(after, "+") : sentencesOf(changesOf(before, after))} />
    </li>
  );
}

interface CommonPlanProps {
  edits: readonly StagedEdit[];
  onApplied: () => void;
  /** Removes edits that are saved, or that a change request contains. */
  onDone: (sent: readonly StagedEdit[]) => void;
}

const NO_CONFLICTS = { refused: [], replaced: [] };

/** What saving all edits would do. The plan follows the edits and the configuration. */
function CommonPlan({ edits, onApplied, onDone }: CommonPlanProps) {
  const input: DocumentInput = { text: toDocument(edits), mode: "merge" };
  const plan = useQuery({
    queryKey: [...PLANS, input.text],
    queryFn: ({ signal }) => planOf(input, signal),
    placeholderData: keepPreviousData,
    retry: false,
  });
  // Another tab may add edits while these are saved.
  const sent = useRef(edits);
  const isShown = useIsShown();
  const apply = useApply({
    onApplied: () => {
      if (isShown.current) onApplied();
      onDone(sent.current);
    },
    onHeld: () => onDone(sent.current),
    note: "change set",
  });
  if (plan.data === undefined)
    return plan.error === null ? <Skeleton className="h-72" /> : <ApplyProblem error={plan.error} />;
  const changes = plan.data.created + plan.data.changed;
  // The placeholder is the plan of other edits.
  const { refused, replaced } = plan.isPlaceholderData ? NO_CONFLICTS : conflictsOf(edits, plan.data);
  const isStale = apply.error instanceof Problem && apply.error.code === "stale";
  const isOfPlan = apply.variables?.text === input.text && (isStale || apply.variables.basis === plan.data.basis);
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {plan.error !== null && <ApplyProblem error={plan.error} />}
      <PlanView plan={plan.data} document={input.text} isDescribed>
        <ProblemList title="These edits cannot be saved:" tone="deny" problems={refused.map(toProblem)} />
        <ProblemList title="Changed since the edit was made:" tone="warn" problems={replaced.map(toProblem)} />
        {apply.error !== null && isOfPlan && (
          <ApplyProblem isSave error={apply.error} whenStale="Read the new plan, then save." />
        )}
        {changes > 0 && plan.error === null && plan.data.errors.length === 0 && refused.length === 0 && (
          <Button
            variant="primary"
            className="self-start"
            disabled={plan.isPlaceholderData}
            pending={apply.isPending}
            onClick={() => {
              sent.current = edits;
              apply.mutate({ ...input, basis: plan.data.basis });
            }}
          >
            {`Save ${counted(changes, "change")}`}
          </Button>
        )}
      </PlanView>
    </div>
  );
}

function toProblem(message: string) {
  return { path: "", message };
}
