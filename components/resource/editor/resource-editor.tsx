import type { Route } from "next";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { firstChangedPath, sentencesOf } from "@/components/resource/editor/changes";
import { ConflictDialog } from "@/components/resource/editor/conflict-dialog";
import { DetailLayout } from "@/components/resource/detail/detail-layout";
import { DraftBar } from "@/components/resource/editor/draft-bar";
import { LeaveGuard } from "@/components/resource/editor/leave-guard";
import { useOpenAtField } from "@/components/resource/editor/open-at-field";
import { ProblemSummary } from "@/components/resource/problem-note";
import type { FieldProblem } from "@/lib/errors";
import { ValidationPaused } from "@/components/resource/validation-paused";
import { ReviewDialog } from "@/components/resource/editor/review-dialog";
import { useSave } from "@/components/resource/editor/use-save";
import { useStage, type Stage } from "@/components/resource/editor/use-stage";
import { StagedNote } from "@/components/configuration/staged-note";
import { toastFailure } from "@/components/resource/review/toast-failure";
import { SecretDialog } from "@/components/resource/secret-dialog";
import {
  useRowDraft,
  useRowReview,
  useRowSave,
  type Edited,
  type RowDraft,
  type RowSave,
} from "@/components/resource/editor/use-row-editing";
import { useGo } from "@/components/resource/go";
import { hrefOf, idOf, type FieldsProps } from "@/components/resource/view";
import { useWho } from "@/components/resource/who";
import { firstField } from "@/components/ui/forms/first-field";
import { lazyPart } from "@/components/ui/lazy-part";
import { Skeleton } from "@/components/ui/skeleton";
import { TabPanel } from "@/components/ui/tabs";
import type { Input, ResourceName } from "@/lib/resources";
import { DRAFTED, isConfigSection, type Drafted } from "@/lib/resources/sections";

const DraftPreview = lazyPart(async () => (await import("@/components/preview/draft-preview")).DraftPreview);

const LatestChanges = lazyPart(
  async () => (await import("@/components/changes/latest-changes")).LatestChanges,
  <Skeleton className="h-24" />,
);

interface EditorProps<R extends ResourceName> extends Edited<R> {
  /** The tab of the first fields, on a page with tabs. Each part of the form then has its own. */
  tab?: string | undefined;
}

/** The form of one resource around its own fields: draft, review, save, conflict. Knows no field. */
export function ResourceEditor<R extends ResourceName>({ tab, ...edited }: EditorProps<R>) {
  const { facts, view, row, back } = edited;
  const go = useGo();
  const control = useRowDraft(edited);
  const stage = useStage(edited, control);
  const save = useRowSave(edited, control, stage);
  const review = useRowReview(edited, control, save);
  const { draft, changes, isNew, storedId } = control;
  const { resource } = facts;
  const change = isConfigSection(resource) ? { resource, id: storedId, input: draft.value } : undefined;
  const [previewing, setPreviewing] = useState(false);
  const busy = review.checking || save.isPending || save.leaving;
  return (
    <ValidationPaused value={busy}>
      <div className="flex flex-1 flex-col">
        <LeaveGuard active={(stage.isUnsaved || save.isPending) && !save.leaving && save.created === null} />
        <Form
          facts={facts}
          view={view}
          control={control}
          row={row}
          staged={stage.state}
          problems={review.problems}
          failed={save.failedRequestId}
          tab={tab}
          // The review of an undo opens by itself. The field that changes keeps the focus.
          isFrozen={busy && (edited.undoes ?? null) === null}
        />
        {!draft.readOnly && (
          <DraftBar
            isNew={isNew}
            changes={sentencesOf(changes, view.wording).length}
            isBlocked={control.isBlocked}
            stage={stage}
            word={facts.words[0]}
            pending={review.checking || (isNew && save.isPending)}
            change={view.showsImpact === true ? undefined : change}
            onPreview={isDrafted(facts.resource) ? () => review.ifValid(() => setPreviewing(true)) : undefined}
            onStage={stage.canAdd ? () => review.ifValid(stage.add) : undefined}
            onReview={review.review}
            onDiscard={stage.discard}
            onCancel={() => go(back ?? `/admin/${facts.resource}`)}
          />
        )}
        <ReviewDialog
          {...review.dialog}
          {...reviewWords(edited, storedId)}
          changes={changes}
          change={change}
          wording={view.wording}
          pending={save.isPending}
        />
        {previewing && (
          <Preview resource={resource} id={storedId} input={draft.value} onClose={() => setPreviewing(false)} />
        )}
        <AfterSave edited={edited} control={control} save={save} />
      </div>
    </ValidationPaused>
  );
}

/** What the review is of, and how it says so. */
function reviewWords<R extends ResourceName>({ facts, undoes = null }: Edited<R>, storedId: string | null) {
  if (storedId === null) return { title: `Review the new ${facts.words[0]}`, isNew: true };
  if (undoes !== null) return { title: `Undo the change of ${storedId}`, action: "Undo the change", isUndo: true };
  return { title: `Review changes to ${storedId}` };
}

interface FormProps<R extends ResourceName> extends Pick<EditorProps<R>, "facts" | "view" | "tab"> {
  control: RowDraft<R>;
  row: FieldsProps<R>["row"];
  staged: Stage["state"];
  problems: readonly FieldProblem[];
  /** The id of a request that the server failed. */
  failed: string | null;
  /** Whether the draft is on its way to the server. What a person types then would be in no check and no save. */
  isFrozen: boolean;
}

/** The fields of the resource, next to the effect of the draft and the row's latest changes. */
function Form<R extends ResourceName>(props: FormProps<R>) {
  const { facts, view, row, staged, problems, failed, tab, isFrozen } = props;
  const { draft, fieldsKey, storedId } = props.control;
  const { role } = useWho();
  const fields = useRef<HTMLDivElement>(null);
  const isNew = row === null;
  // A draft of another page, such as an undone change, opens at the field that it changes.
  useOpenAtField(row === null ? null : firstChangedPath(view.toInput(row), draft.value));
  useEffect(() => {
    if (isNew) firstField(fields.current)?.focus();
  }, [isNew]);
  const hasAside = view.fillsPage !== true && (!isNew || view.Aside !== undefined);
  const aside = (
    <>
      {view.Aside !== undefined && <view.Aside draft={draft} row={row} />}
      {storedId !== null && <LatestChanges resource={facts.resource} id={storedId} />}
    </>
  );
  return (
    <DetailLayout asideLabel="Side panel" aside={hasAside ? aside : null}>
      {draft.readOnly && (
        <p className="rounded-md bg-panel px-3 py-2 text-sm text-muted">
          Your role, {role}, can read this but not change it.
        </p>
      )}
      {staged !== "none" && <StagedNote isShown={staged === "shown"} />}
      <ProblemSummary problems={problems} requestId={failed} />
      <div key={fieldsKey} ref={fields} inert={isFrozen} className="flex flex-col gap-6">
        {[{ value: tab, Panel: view.Fields }, ...(view.parts ?? [])].map(({ value, Panel }) => (
          <Part key={value ?? ""} tab={tab === undefined ? undefined : value}>
            <Panel draft={draft} row={row} />
          </Part>
        ))}
      </div>
    </DetailLayout>
  );
}

/** Fields of a form: all of it, or what one tab shows. All tabs stay mounted, because they edit one draft. */
function Part({ tab, children }: { tab: string | undefined; children: ReactNode }) {
  if (tab === undefined) return children;
  return (
    <TabPanel value={tab} keep className="flex flex-col gap-6 pt-0">
      {children}
    </TabPanel>
  );
}

interface PreviewProps<R extends ResourceName> {
  resource: R;
  /** `null` = a new one. */
  id: string | null;
  input: Input<R>;
  onClose: () => void;
}

/** A caller's tools with the draft in force; nothing for resources that are no rules. */
function Preview<R extends ResourceName>({ resource, id, input, onClose }: PreviewProps<R>) {
  if (!isDrafted(resource)) return null;
  return <DraftPreview rule={{ resource, ...(id !== null && { id }), input }} onClose={onClose} />;
}

interface AfterSaveProps<R extends ResourceName> {
  edited: Edited<R>;
  control: RowDraft<R>;
  save: RowSave<R>;
}

/** What a person must do after a save: merge another person's change, or store a new secret. */
function AfterSave<R extends ResourceName>({ edited: { facts, view, back }, control, save }: AfterSaveProps<R>) {
  const router = useRouter();
  const { theirs, created } = save;
  const later = useSave(facts.resource);
  const close = ({ row, switchesOn }: NonNullable<typeof created>) => {
    const id = idOf(facts, row);
    router.push((back ?? hrefOf(facts.resource, id)) as Route);
    // While changes are reviewed this asks for the reason, and becomes a request.
    if (switchesOn !== null)
      void later
        .mutateAsync({ input: switchesOn, replaces: { id, revision: row.revision } })
        .catch((error: unknown) => toastFailure(`${id} stays switched off`, error));
  };
  if (theirs !== null)
    return (
      <ConflictDialog
        base={control.base}
        theirs={view.toInput(theirs) as Input<R> & object}
        mine={control.draft.value}
        onCancel={save.closeConflict}
        onMerge={(merged) => {
          control.startFrom(theirs, merged);
          save.closeConflict();
        }}
      />
    );
  if (created === null) return null;
  return (
    <SecretDialog title={created.title} what={created.what} secret={created.secret} onClose={() => close(created)}>
      {view.SecretUse !== undefined && <view.SecretUse row={created.row} secret={created.secret} />}
    </SecretDialog>
  );
}

/** Whether a preview supports drafts of this kind of rule. */
function isDrafted(resource: ResourceName): resource is Drafted {
  return (DRAFTED as readonly ResourceName[]).includes(resource);
}
