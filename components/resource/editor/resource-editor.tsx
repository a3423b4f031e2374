"use client";

import type { Route } from "next";
import { useRouter } from "next/navigation";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { decides } from "@/components/impact/use-impact";
import { sentencesOf } from "@/components/resource/editor/changes";
import { ConflictDialog } from "@/components/resource/editor/conflict-dialog";
import { useDraft } from "@/components/resource/editor/draft";
import { DetailLayout } from "@/components/resource/detail-layout";
import { DraftBar } from "@/components/resource/editor/draft-bar";
import { LeaveGuard } from "@/components/resource/editor/leave-guard";
import { ProblemSummary } from "@/components/resource/problem-note";
import { Problem } from "@/components/resource/request";
import { Resting } from "@/components/resource/resting";
import { ReviewDialog } from "@/components/resource/editor/review-dialog";
import { SecretDialog } from "@/components/resource/secret-dialog";
import { planSave } from "@/components/resource/editor/use-row-plan";
import { useSave, type Save } from "@/components/resource/editor/use-save";
import { validate } from "@/components/resource/editor/validate";
import { hrefOf, idOf, type ResourceFacts, type View } from "@/components/resource/view";
import { firstField } from "@/components/ui/forms/first-field";
import { Skeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/overlays/toast";
import type { Input, ResourceName, Row } from "@/lib/resources";
import { DRAFTED, type Drafted } from "@/lib/resources/sections";
import type { Warning } from "@/lib/contracts/changes/row-plan";

const DraftPreview = lazy(async () => ({
  default: (await import("@/components/preview/draft-preview")).DraftPreview,
}));

const LatestChanges = lazy(async () => ({
  default: (await import("@/components/changes/latest-changes")).LatestChanges,
}));

interface ResourceEditorProps<R extends ResourceName> {
  facts: ResourceFacts<R>;
  view: View<R>;
  /** Absent: a new one. It is mounted only when the row is there, so that a draft starts from it. */
  row: Row<R> | null;
  /** The initial value, if it is neither blank nor the stored one. */
  start?: Input<R> | null;
  /** The address after a new row is saved or cancelled, if it is not the row's page or the list. */
  back?: string | undefined;
}

/** The form of one resource around its own fields: draft, review, save, conflict. Knows no field. */
export function ResourceEditor<R extends ResourceName>({
  facts,
  view,
  row,
  start = null,
  back,
}: ResourceEditorProps<R>) {
  const router = useRouter();
  const isNew = row === null;
  const control = useDraft<Input<R> & object>(row === null ? view.blank : view.toInput(row), {
    readOnly: !facts.canWrite || (!isNew && view.createOnly === true),
    isNew,
    start,
  });
  const { draft, changes } = control;
  const [revision, setRevision] = useState(row?.revision ?? 0);
  const [storedId] = useState(row === null ? null : idOf(facts, row));
  // Until the first review, a field alone shows its problem: a summary would move the form while somebody types.
  const [hasReviewed, setHasReviewed] = useState(false);
  const [reviewing, setReviewing] = useState(false);
  const [previewing, setPreviewing] = useState(false);
  const [checking, setChecking] = useState(false);
  const [warnings, setWarnings] = useState<readonly Warning[]>([]);
  /** The request that failed for no fault of the draft. */
  const [failed, setFailed] = useState<string | null>(null);
  const [theirs, setTheirs] = useState<Row<R> | null>(null);
  const [created, setCreated] = useState<{ row: Row<R>; title: string; secret: string } | null>(null);
  const save = useSave(facts.resource);
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isNew) firstField(form.current)?.focus();
  }, [isNew]);
  const [one] = facts.words;
  const leaving = save.isSuccess && (isNew || idOf(facts, save.data) !== storedId);
  // Another person saved the row and this draft has no changes, so show the stored row. With changes, it is a conflict.
  if (row !== null && row.revision > revision && changes.length === 0 && control.problems.length === 0) {
    setRevision(row.revision);
    control.rebase(view.toInput(row), view.toInput(row));
  }

  const finish = (answer: Row<R>) => {
    const id = idOf(facts, answer);
    setReviewing(false);
    setRevision(answer.revision);
    control.rebase(view.toInput(answer), view.toInput(answer));
    const secret = isNew ? (view.secretOf?.(answer) ?? null) : null;
    if (secret !== null) return setCreated({ row: answer, ...secret });
    toast({ title: isNew ? `Created ${one} ${id}` : `Saved ${one} ${id}` });
    if (isNew || id !== storedId) router.push((back ?? hrefOf(facts.resource, id)) as Route);
    // The row is saved, so a reload of the page must not start with the initial value.
    else if (start !== null) router.replace(hrefOf(facts.resource, id) as Route);
  };

  const refuse = (error: Error) => {
    setReviewing(false);
    if (error instanceof Problem && error.code === "stale" && error.current !== undefined)
      return setTheirs(error.current as Row<R>);
    const errors = error instanceof Problem ? error.errors : [];
    setFailed(error instanceof Problem && error.status >= 500 ? error.requestId : null);
    control.setProblems(errors.length > 0 ? errors : [{ path: "", message: error.message }]);
  };

  const wanted: Save<R> = {
    input: draft.value as Input<R>,
    ...(storedId !== null && { replaces: { id: storedId, revision } }),
  };
  const run = () => save.mutate(wanted, { onSuccess: finish, onError: refuse });

  /** Collects the schema's problems, and then the server's errors and warnings, before anything is saved. */
  const check = async () => {
    setFailed(null);
    const problems = await validate(facts.resource, draft.value).catch(() => []);
    control.setProblems(problems);
    if (problems.length > 0) return;
    const plan = await planSave(facts.resource, wanted);
    control.setProblems(plan.errors);
    setWarnings(plan.warnings);
    if (plan.errors.length > 0) return;
    if (isNew && plan.warnings.length === 0) run();
    else setReviewing(true);
  };
  const review = () => {
    setHasReviewed(true);
    setChecking(true);
    void check()
      .catch((error: unknown) => refuse(error instanceof Error ? error : new Error(String(error))))
      .finally(() => setChecking(false));
  };

  const preview = async () => {
    setHasReviewed(true);
    const problems = await validate(facts.resource, draft.value);
    control.setProblems(problems);
    setPreviewing(problems.length === 0);
  };

  const held = control.problems.length > 0;
  const impact = decides(facts.resource)
    ? ({ resource: facts.resource, id: storedId, input: draft.value } as const)
    : undefined;
  return (
    <Resting value={save.isPending || leaving}>
      <div className="flex min-h-full flex-1 flex-col">
        <LeaveGuard active={changes.length > 0 && !leaving && created === null} />
        <DetailLayout
          asideLabel="Beside the form"
          aside={
            view.fillsPage === true || (isNew && view.Aside === undefined) ? null : (
              <>
                {view.Aside !== undefined && <view.Aside draft={draft} row={row} />}
                {storedId !== null && (
                  <Suspense fallback={<Skeleton className="h-24" />}>
                    <LatestChanges resource={facts.resource} id={storedId} />
                  </Suspense>
                )}
              </>
            )
          }
        >
          <ProblemSummary problems={hasReviewed ? control.problems : []} requestId={failed} />
          <div ref={form} className="flex flex-col gap-6">
            <view.Fields draft={draft} row={row} />
          </div>
        </DetailLayout>
        {!draft.readOnly && (
          <DraftBar
            isNew={isNew}
            changes={sentencesOf(changes, view.wording).length}
            word={one}
            pending={checking || (isNew && save.isPending)}
            impact={view.showsImpact === true ? undefined : impact}
            onPreview={isDrafted(facts.resource) ? () => void preview().catch(refuse) : undefined}
            onReview={review}
            onDiscard={control.discard}
            onCancel={() => router.push((back ?? `/admin/${facts.resource}`) as Route)}
          />
        )}
        <ReviewDialog
          open={reviewing && !held}
          onOpenChange={setReviewing}
          name={storedId ?? `the new ${one}`}
          changes={changes}
          warnings={warnings}
          impact={impact}
          wording={view.wording}
          pending={save.isPending}
          onSave={run}
        />
        {previewing && isDrafted(facts.resource) && (
          <Suspense>
            <DraftPreview
              rule={{ resource: facts.resource, ...(storedId !== null && { id: storedId }), input: draft.value }}
              onClose={() => setPreviewing(false)}
            />
          </Suspense>
        )}
        {theirs !== null && (
          <ConflictDialog
            base={control.base}
            theirs={view.toInput(theirs) as Input<R> & object}
            mine={draft.value}
            onCancel={() => setTheirs(null)}
            onMerge={(merged) => {
              control.rebase(view.toInput(theirs) as Input<R> & object, merged);
              setRevision(theirs.revision);
              setTheirs(null);
            }}
          />
        )}
        {created !== null && (
          <SecretDialog
            title={created.title}
            secret={created.secret}
            onClose={() => router.push((back ?? hrefOf(facts.resource, idOf(facts, created.row))) as Route)}
          >
            {view.SecretUse !== undefined && <view.SecretUse secret={created.secret} />}
          </SecretDialog>
        )}
      </div>
    </Resting>
  );
}

/** Whether a preview supports drafts of this kind of rule. */
function isDrafted(resource: ResourceName): resource is Drafted {
  return (DRAFTED as readonly ResourceName[]).includes(resource);
}
