import { useRowChanges } from "@/components/changes/use-row-changes";
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
 * changed fields only. Their review opens at once. For a creation, says to delete the object; for a change that was undone
 * since, says so.
 */
export function UndoButton({ change }: { change: ChangeRow }) {
  const go = useGo();
  const { role } = useWho();
  const newest = useRowChanges(change.resource, change.rowId, 1).data?.items[0];
  const section = CONFIG_SECTIONS.find((one) => one === change.resource);
  if (section === undefined || !can(role, KINDS[section].write)) return null;
  const { rowId, before } = change;
  if (newest !== undefined && isUndone(change, newest))
    return (
      <span className="text-muted">
        {before === null ? "Undone: the object was deleted" : "Undone: the object has the former values again"}
      </span>
    );
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
  const id = (after as Record<string, unknown>)[KINDS[section].id];
  const former = differing(before, after);
  return storeChanges(section, typeof id === "string" ? id : rowId, Object.fromEntries(former), { undoes });
}

/** The fields of a row that have another value in another version of it. */
function differing(row: unknown, other: unknown): [string, unknown][] {
  const values = (other ?? {}) as Record<string, unknown>;
  return Object.entries(row as object).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(values[field]),
  );
}

/** Whether the newest change of the object left it as it was before a change, in the fields of that change. */
function isUndone({ id, before, after }: ChangeRow, newest: ChangeRow): boolean {
  if (newest.id === id) return false;
  if (before === null || newest.after === null) return before === newest.after;
  // A new object may have the name that this one had before.
  if (after !== null && newest.action === "create") return false;
  const now = newest.after as Record<string, unknown>;
  const changed = differing(before, after);
  return changed.length > 0 && changed.every(([field, value]) => JSON.stringify(value) === JSON.stringify(now[field]));
}
