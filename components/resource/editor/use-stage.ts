import type { Route } from "next";
import { useRouter } from "next/navigation";
import { CHANGE_SET_PAGE, toEdit, useChangeSet, type StagedEdit } from "@/components/configuration/change-set";
import type { Edited, RowDraft, useRowReview } from "@/components/resource/editor/use-row-editing";
import { useForgetDraft } from "@/components/resource/editor/stored-draft";
import { useGo } from "@/components/resource/go";
import { toast } from "@/components/ui/overlays/toast";
import { KINDS, type ResourceName } from "@/lib/resources/kinds";
import { isConfigSection } from "@/lib/resources/sections";

/**
 * Adds a draft to the change set instead of saving it. `undefined` where the change set cannot contain it: the
 * configuration document has no such rows, or the draft renames its row.
 */
export function useStage<R extends ResourceName>(
  { facts: { resource, words }, view, start = null, back }: Edited<R>,
  { draft, base, storedId, discard }: RowDraft<R>,
  { ifValid }: Pick<ReturnType<typeof useRowReview>, "ifValid">,
): (() => void) | undefined {
  const { add } = useChangeSet();
  const router = useRouter();
  const forgetDraft = useForgetDraft(view);
  const go = useGo();
  if (!isConfigSection(resource)) return undefined;
  const id = String(Reflect.get(draft.value, KINDS[resource].id));
  if (storedId !== null && storedId !== id) return undefined;
  const stage = async () => {
    const edit: StagedEdit =
      storedId === null
        ? { resource, id, isNew: true, before: {}, after: { ...draft.value } }
        : await toEdit(resource, id, base, draft.value);
    if (!add(edit))
      return toast({
        title: "Not added to the change set",
        description: "This browser can store no more edits. Save the change set first.",
        tone: "failed",
      });
    discard();
    toast({
      title: `Added ${words[0]} ${id} to the change set`,
      next: { label: "Open change set", open: () => go(CHANGE_SET_PAGE) },
    });
    if (storedId === null) router.push((back ?? `/admin/${resource}`) as Route);
    else if (start !== null) forgetDraft();
  };
  return () => ifValid(stage);
}
