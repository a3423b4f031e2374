import { useGo } from "@/components/resource/go";
import { storeChanges, storeDraft } from "@/components/resource/editor/stored-draft";
import { hrefOf } from "@/components/resource/view";
import { useWho } from "@/components/resource/who";
import { Button } from "@/components/ui/button";
import { TextLink } from "@/components/ui/text-link";
import type { Input } from "@/lib/resources";
import type { ChangeRow } from "@/lib/contracts/changes/change";
import { KINDS } from "@/lib/resources/kinds";
import { can } from "@/lib/resources/permissions";
import { CONFIG_SECTIONS, type ConfigSection } from "@/lib/resources/sections";

/**
 * Opens the former values of a change as a draft in the object's editor: the deleted object, or the former values of the
 * changed fields only. Their review opens at once. For a creation, says to delete the object.
 */
export function UndoButton({ change }: { change: ChangeRow }) {
  const go = useGo();
  const { role } = useWho();
  const section = CONFIG_SECTIONS.find((one) => one === change.resource);
  if (section === undefined || !can(role, KINDS[section].write)) return null;
  const { rowId, before } = change;
  if (before === null)
    return (
      <span className="text-muted">
        To undo this, <TextLink href={hrefOf(section, rowId)}>open the object</TextLink> and delete it
      </span>
    );
  return (
    <Button size="sm" onClick={() => go(keepFormer(section, change))}>
      Undo this change…
    </Button>
  );
}

/** Returns the draft's address. The history holds rows as they were sent. */
function keepFormer(section: ConfigSection, { id: undoes, rowId, before, after }: ChangeRow): string {
  if (after === null) return storeDraft(section, before as Input<ConfigSection>);
  const now = after as Record<string, unknown>;
  const former = Object.entries(before as object).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(now[field]),
  );
  const id = now[KINDS[section].id];
  return storeChanges(section, typeof id === "string" ? id : rowId, Object.fromEntries(former), { undoes });
}
