import { useQuery } from "@tanstack/react-query";
import type { Route } from "next";
import { useRouter } from "next/navigation";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { changesHref } from "@/components/changes/changes-href";
import { PLAINLY, useFollowRequest, type SaveHow } from "@/components/resource/editor/follow-request";
import { useForgetDraft } from "@/components/resource/editor/stored-draft";
import { changesOf } from "@/components/resource/editor/changes";
import { useDraft } from "@/components/resource/editor/draft";
import { planSave } from "@/components/resource/editor/use-row-plan";
import { useReview } from "@/components/resource/editor/use-review";
import { useSave, type Save } from "@/components/resource/editor/use-save";
import type { StagedEdit } from "@/components/configuration/change-set";
import type { Stage } from "@/components/resource/editor/use-stage";
import { validate } from "@/components/resource/editor/validate";
import { Problem, problemsOf } from "@/components/resource/request";
import { hrefOf, idOf, type ResourceFacts, type View } from "@/components/resource/view";
import { toast } from "@/components/ui/overlays/toast";
import type { RequestRow } from "@/lib/contracts/changes/request";
import type { Input, ResourceName, Row } from "@/lib/resources";

export interface Edited<R extends ResourceName> {
  facts: ResourceFacts<R>;
  view: View<R>;
  /** `null` for a new row. The editor is mounted after the row is loaded, because the draft starts from it. */
  row: Row<R> | null;
  /** The initial value, if it is neither blank nor the stored one. */
  start?: Input<R> | null;
  /** The edit of the change set that the initial value shows. */
  staged?: StagedEdit | null;
  /** The id of the change that the initial value undoes. Its review opens at once. */
  undoes?: string | null;
  /** The address after a new row is saved or cancelled, if it is not the row's page or the list. */
  back?: string | undefined;
}

/** A row's draft, as the save and the review read it. */
export type RowDraft<R extends ResourceName> = ReturnType<typeof useRowDraft<R>>;
export type RowSave<R extends ResourceName> = ReturnType<typeof useRowSave<R>>;

/** A row's draft and the revision that it is based on. Without changes it follows every newer revision. */
export function useRowDraft<R extends ResourceName>({ facts, view, row, start = null }: Edited<R>) {
  const isNew = row === null;
  const control = useDraft<Input<R> & object>(row === null ? view.blank : view.toInput(row), {
    readOnly: !facts.canWrite,
    isNew,
    start,
    required: useRequired(facts.resource, isNew ? view.blank : null),
  });
  const [revision, setRevision] = useState(row?.revision ?? 0);
  const [storedId] = useState(row === null ? null : idOf(facts, row));
  const startFrom = (stored: Row<R>, value: Input<R> & object = view.toInput(stored)) => {
    setRevision(stored.revision);
    control.rebase(view.toInput(stored), value);
  };
  // Another person saved the row and this draft has no changes, so show the stored row. With changes, it is a conflict.
  if (row !== null && row.revision > revision && control.changes.length === 0 && control.problems.length === 0)
    startFrom(row);
  const wanted: Save<R> = {
    input: control.draft.value as Input<R>,
    ...(storedId !== null && { replaces: { id: storedId, revision } }),
  };
  return { ...control, isNew, storedId, startFrom, wanted };
}

/** The paths that the schema refuses in a blank row, so that a person sees them before the first save. */
function useRequired<R extends ResourceName>(resource: R, blank: Input<R> | null) {
  const { data } = useQuery({
    queryKey: [resource, "required"],
    queryFn: async () => new Set((await validate(resource, blank)).map(({ path }) => path)),
    staleTime: Infinity,
    enabled: blank !== null,
  });
  return data;
}

/** A new row with a secret that only the answer to its creation holds. */
interface Created<R extends ResourceName> {
  readonly row: Row<R>;
  readonly title: string;
  readonly what: string;
  readonly secret: string;
  /** The input that switches the row on, if reviews created it switched off; else `null`. */
  readonly switchesOn: Input<R> | null;
}

/** The stored input with the switches that `requested` has on; `null` when they are on already. */
function switchOn<T extends object>(requested: T, stored: T): T | null {
  const on = Object.entries(requested).filter(([field, to]) => SWITCHES.has(field) && to === true);
  const isOn = on.every(([field]) => stored[field as keyof T] === true);
  return isOn ? null : { ...stored, ...Object.fromEntries(on) };
}
const SWITCHES: ReadonlySet<string> = new Set(["enabled", "active"]);

/** Saves a draft. Then opens the page of the saved row, or keeps the reason why the save was refused. */
export function useRowSave<R extends ResourceName>(
  { facts, view, start = null, undoes = null, back }: Edited<R>,
  draft: RowDraft<R>,
  { forget, release }: Pick<Stage, "forget" | "release">,
) {
  const { isNew, storedId } = draft;
  const router = useRouter();
  const forgetDraft = useForgetDraft(view);
  const save = useSave(facts.resource);
  const sent = useRef<SaveHow>(PLAINLY);
  /** The id of a request that failed with a server error. */
  const [failedRequestId, setFailedRequestId] = useState<string | null>(null);
  const [theirs, setTheirs] = useState<Row<R> | null>(null);
  const [created, setCreated] = useState<Created<R> | null>(null);

  const finish = (answer: Row<R>) => {
    const id = idOf(facts, answer);
    draft.startFrom(answer);
    forget();
    const secret = isNew ? (view.secretOf?.(answer) ?? null) : null;
    if (secret !== null)
      return setCreated({ row: answer, ...secret, switchesOn: switchOn(draft.wanted.input, view.toInput(answer)) });
    const done = undoes !== null ? "Undid the change of" : isNew ? "Created" : "Saved";
    toast({ title: `${done} ${facts.words[0]} ${id}` });
    if (undoes !== null) router.push(changesHref(facts.resource, id) as Route);
    else if (isNew || id !== storedId) router.push((back ?? hrefOf(facts.resource, id)) as Route);
    else if (start !== null) forgetDraft();
  };
  const compareWith = (stored: Row<R>) => {
    if (changesOf(view.toInput(stored), draft.draft.value).length > 0) return setTheirs(stored);
    draft.startFrom(stored);
    toast({ title: `${idOf(facts, stored)} has these values already` });
  };
  const follow = useFollowRequest(release);
  const refuse = (error: Error) => {
    if (error instanceof Problem && error.code === "awaits_review")
      return void follow(error.current as RequestRow, sent.current);
    if (error instanceof Problem && error.code === "stale" && error.current !== undefined)
      return compareWith(error.current as Row<R>);
    setFailedRequestId(error instanceof Problem && error.status >= 500 ? error.requestId : null);
    draft.setProblems(problemsOf(error));
  };
  return {
    run: (how: SaveHow, onSettled: (saved: unknown) => void) => {
      sent.current = how;
      save.mutate({ ...draft.wanted, reason: how.reason }, { onSuccess: finish, onError: refuse, onSettled });
    },
    refuse,
    isPending: save.isPending,
    /** Whether the page is about to change to the page of the saved row. */
    leaving: save.isSuccess && (isNew || idOf(facts, save.data) !== storedId),
    failedRequestId,
    setFailedRequestId,
    /** The row as another person has saved it meanwhile; `null` = no conflict. */
    theirs,
    closeConflict: () => setTheirs(null),
    created,
  };
}

/** Calls `act` once, in the first frame, in which `useOpenAtField` focuses a field. */
function useAtOnce(act: () => void) {
  const once = useEffectEvent(act);
  useEffect(() => {
    const frame = requestAnimationFrame(() => once());
    return () => cancelAnimationFrame(frame);
  }, []);
}

/** The steps between a row's draft and its save. The review of an undo opens by itself, once the changed field has the focus. */
export function useRowReview<R extends ResourceName>(
  { facts: { resource }, undoes = null }: Edited<R>,
  draft: RowDraft<R>,
  save: RowSave<R>,
) {
  const steps = useReview({
    control: draft,
    validate: () => validate(resource, draft.draft.value),
    plan: () => planSave(resource, draft.wanted),
    save,
  });
  const review = (from: Element | null) => {
    save.setFailedRequestId(null);
    steps.review(from);
  };
  useAtOnce(() => undoes !== null && draft.changes.length > 0 && !draft.draft.readOnly && review(null));
  return { ...steps, review };
}
