import { RENAMED_EVERYWHERE, holdersOf, withNewName, type Holder, type Rename } from "@/lib/config/references";
import { inTurns } from "@/lib/store/db/in-turns";
import type { Change } from "@/lib/store/save/change";
import type { Stored } from "@/lib/store/save/stored";
import { idOf, toValue } from "@/lib/store/config/tables";
import type { Kind, Value } from "@/lib/store/config/values";

/**
 * If a change renames a group or persona: the changes that put the new name into the rows that contain the old one. Rows of
 * other kinds cannot be renamed while another row names them.
 */
export async function followRename(stored: Stored, change: Change): Promise<Change[]> {
  const of = RENAMED_EVERYWHERE.find((kind) => kind === change.resource);
  if (of === undefined || change.action !== "update" || idOf(of, change.after) === change.id) return [];
  const rename = { of, was: change.id, becomes: idOf(of, change.after) };
  const changes: Change[] = [];
  for (const holder of holdersOf(of))
    for await (const [id, row] of inTurns(await stored.all<Kind>(holder))) {
      const after = withRename(holder, toValue<Kind>(holder, row), rename);
      if (after !== null) changes.push({ resource: holder, action: "update", id, after } as Change);
    }
  return changes;
}

function withRename(holder: Holder, value: Value<Kind>, rename: Rename): object | null {
  if (holder !== "settings") return withNewName(holder, value, rename);
  const { name, value: settings } = value as Value<"settings">;
  const after = withNewName(holder, settings, rename);
  return after === null ? null : { name, value: after };
}
