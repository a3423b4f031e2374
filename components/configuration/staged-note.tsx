import { CHANGE_SET_PAGE, useChangeSet } from "@/components/configuration/change-set";
import { TextLink } from "@/components/ui/text-link";

/** Says on the page of a row that an edit of it waits in the change set. */
export function StagedNote({ resource, id }: { resource: string; id: string }) {
  const { edits } = useChangeSet();
  if (!edits.some((edit) => edit.resource === resource && edit.id === id)) return null;
  return (
    <p className="rounded-md bg-panel px-3 py-2 text-sm text-muted">
      An edit of this waits in your <TextLink href={CHANGE_SET_PAGE}>change set</TextLink>. Nothing of it is saved yet.
    </p>
  );
}
