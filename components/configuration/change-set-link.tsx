import { FileStack } from "lucide-react";
import { CHANGE_SET_PAGE, useChangeSet } from "@/components/configuration/change-set";
import { counted } from "@/components/ui/counted";
import { LinkButton } from "@/components/ui/link-button";

/** Leads to the change set from every page, while it has edits. */
export function ChangeSetLink() {
  const { edits } = useChangeSet();
  if (edits.length === 0) return null;
  return (
    <LinkButton href={CHANGE_SET_PAGE} size="sm" className="mr-1" title="Edits that are not saved yet">
      <FileStack aria-hidden />
      <span className="max-sm:sr-only">Change set: {counted(edits.length, "edit")}</span>
      <span aria-hidden className="sm:hidden">
        {edits.length}
      </span>
    </LinkButton>
  );
}
