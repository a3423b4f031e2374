import { CHANGE_SET_PAGE } from "@/components/configuration/change-set";
import { TextLink } from "@/components/ui/text-link";

/** Says above a form that the change set has an edit of its row. @param isShown whether the form shows that edit */
export function StagedNote({ isShown }: { isShown: boolean }) {
  return (
    <p className="rounded-md bg-panel px-3 py-2 text-sm text-muted">
      {isShown ? "This form shows the edit in your " : "An edit of this waits in your "}
      <TextLink href={CHANGE_SET_PAGE}>change set</TextLink>. Nothing of it is saved yet.
    </p>
  );
}
