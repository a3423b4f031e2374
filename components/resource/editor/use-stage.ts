import type { Route } from "next";
import { useRouter } from "next/navigation";
import { useState } from "react";
import {
  CHANGE_SET_PAGE,
  isSameRow,
  toEdit,
  useChangeSet,
  withFirstBefore,
  type StagedEdit,
} from "@/components/configuration/change-set";
import { same } from "@/components/resource/editor/changes";
import type { Edited, RowDraft } from "@/components/resource/editor/use-row-editing";
import { useForgetDraft } from "@/components/resource/editor/stored-draft";
import { useGo } from "@/components/resource/go";
import { toContent } from "@/components/ui/to-content";
import { toast } from "@/components/ui/overlays/toast";
import { isReleased, type ToolStatus } from "@/lib/access/model/configuration";
import { KINDS, type ResourceName } from "@/lib/resources/kinds";
import { isConfigSection } from "@/lib/resources/sections";

/** What a form and the change set have to do with each other. */
export interface Stage {
  /** What the change set has of the form's row: nothing, exactly the form's changes, or others. */
  readonly state: "none" | "shown" | "other";
  /** Whether a navigation would lose changes of the form. */
  readonly isUnsaved: boolean;
  /** Whether the change set has the edit that the form began with, and the draft has no change left. */
  readonly isReverted: boolean;
  /** Whether the change set can contain the draft, and does not yet. */
  readonly canAdd: boolean;
  /** Adds the draft instead of saving it. */
  readonly add: () => void;
  /** Removes the edit that the form shows, because it is saved. */
  readonly forget: () => void;
  /** Drops the draft, and the edit that the form shows, because a change request contains it. */
  readonly release: () => void;
  /** Discards the draft, and with it the edit that the form shows. */
  readonly discard: () => void;
}

/** Connects a form to the change set. A draft that renames its row is no edit of the change set. */
export function useStage<R extends ResourceName>(
  { facts: { resource, words }, view, start = null, staged = null, back }: Edited<R>,
  draft: RowDraft<R>,
): Stage {
  const { edits, add, remove, putBack } = useChangeSet();
  const [kept, setKept] = useState(staged);
  const router = useRouter();
  const go = useGo();
  const forgetDraft = useForgetDraft(view);
  const isFromAddress = start !== null && staged === null;
  const drafted = editOf(resource, draft);
  const edit = drafted === null ? null : withFirstBefore(drafted, kept);
  const known = edit === null ? undefined : edits.find((one) => isSameRow(one, edit));
  const state = known === undefined || edit === null ? "none" : same(known.after, edit.after) ? "shown" : "other";
  const forget = () => {
    const removed = kept === null ? [] : remove([kept]);
    setKept(null);
    return removed;
  };
  const addEdit = (next: StagedEdit) => {
    const problem = isRelease(next) ? NO_RELEASE : add(next, kept);
    if (problem !== null) return toast({ title: "Not added to the change set", description: problem, tone: "failed" });
    setKept(next);
    toast({
      title: `Added ${words[0]} ${next.id} to the change set`,
      next: { label: "Open change set", open: () => go(CHANGE_SET_PAGE) },
    });
    // The pressed button disappears.
    if (next.isNew) router.push((back ?? `/admin/${resource}`) as Route);
    else toContent();
    if (!next.isNew && isFromAddress) forgetDraft();
  };
  const release = () => {
    draft.discard();
    return forget();
  };
  const discard = () => {
    const removed = release();
    if (isFromAddress) forgetDraft();
    for (const { id } of removed)
      toast({ title: `Removed ${words[0]} ${id} from the change set`, undo: () => putBack(removed) });
  };
  return {
    state,
    isUnsaved: draft.isBlocked || (draft.changes.length > 0 && state !== "shown"),
    isReverted: kept !== null && draft.changes.length === 0 && edits.some((one) => same(one, kept)),
    canAdd: edit !== null && state !== "shown",
    add: () => edit !== null && addEdit(edit),
    forget,
    release,
    discard,
  };
}

/** A change set is saved as a document, which lifts no status of a tool. */
const NO_RELEASE =
  "A change set cannot make a deprecated or quarantined tool available. Save this change with “Review and save…”.";

function isRelease({ resource, before, after }: StagedEdit): boolean {
  return resource === "tools" && isReleased(before["status"] as ToolStatus, after["status"] as ToolStatus);
}

/** The draft as an edit of the change set; `null` when it can be none. */
function editOf<R extends ResourceName>(resource: R, { draft, base, storedId }: RowDraft<R>): StagedEdit | null {
  if (!isConfigSection(resource)) return null;
  const id = String(Reflect.get(draft.value, KINDS[resource].id));
  if (storedId === null) return { resource, id, isNew: true, before: {}, after: { ...draft.value } };
  return storedId === id ? toEdit(resource, id, base, draft.value) : null;
}
