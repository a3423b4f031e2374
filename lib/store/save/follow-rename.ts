import { RENAMED_EVERYWHERE, holdersOf, withNewName, type Holder, type Rename } from "@/lib/config/references";
import { pauseName } from "@/lib/resources/pause";
import { inTurns } from "@/lib/store/db/in-turns";
import type { AppliedChange, Change } from "@/lib/store/save/change";
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

/**
 * The changes that move the pauses of renamed agents and sources to the new names, so that a rename ends no pause. The writer adds
 * them after its checks: who renames a row need not be allowed to pause it. A pause that the new name has already stays.
 */
export async function movePauses(stored: Stored, changes: readonly AppliedChange[]): Promise<AppliedChange[]> {
  const moved: AppliedChange[] = [];
  const changed = new Set(changes.flatMap(({ resource, id }) => (resource === "pauses" ? [id] : [])));
  for (const { resource, id, before, after } of changes) {
    if ((resource !== "agents" && resource !== "sources") || before === null || after === null) continue;
    const target = idOf(resource, after);
    if (target === id) continue;
    const scope = resource === "agents" ? "agent" : "source";
    const [was, name] = [pauseName({ scope, name: id }), pauseName({ scope, name: target })];
    const pause = changed.has(was) ? null : await stored.get("pauses", was);
    if (pause === null || (await stored.get("pauses", name)) !== null) continue;
    const value = toValue("pauses", pause);
    moved.push({
      resource: "pauses",
      action: "update",
      id: was,
      before: value,
      after: { ...value, name, target },
      secret: {},
    });
  }
  return moved;
}
