import { FOLLOWED, holdersOf, withNewNames, type Holder, type NewNames } from "@/lib/config/references";
import { inTurns } from "@/lib/store/db/in-turns";
import type { Change } from "@/lib/store/save/change";
import type { Stored } from "@/lib/store/save/stored";
import { idOf, toValue } from "@/lib/store/config/tables";
import type { Kind, Value } from "@/lib/store/config/values";

/**
 * The changes of the rows that name a group or persona which the save renames: they name it as before, under its new name. A
 * row that the save itself changes stays as asked; if it still uses the former name, the save is refused (lib/store/save/check.ts).
 */
export async function followRenames(stored: Stored, requested: readonly Change[]): Promise<Change[]> {
  const renamed = newNamesIn(requested);
  const changed = new Set(requested.flatMap((one) => (one.action === "create" ? [] : [`${one.resource}\n${one.id}`])));
  const changes: Change[] = [];
  for (const holder of new Set([...renamed.keys()].flatMap(holdersOf)))
    for await (const [id, row] of inTurns(await stored.all<Kind>(holder))) {
      if (changed.has(`${holder}\n${id}`)) continue;
      const after = renamedIn(holder, toValue<Kind>(holder, row), renamed);
      if (after !== null) changes.push({ resource: holder, action: "update", id, after } as Change);
    }
  return changes;
}

/** What the changes rename. A former name that another change gives to a row is not followed: it names that row now. */
function newNamesIn(requested: readonly Change[]): NewNames {
  const isGiven = (kind: Kind, name: string) =>
    requested.some((one) => one.resource === kind && one.action !== "delete" && idOf(kind, one.after) === name);
  return new Map(
    FOLLOWED.flatMap((kind) => {
      const names = requested.flatMap((one) =>
        one.resource === kind && one.action === "update" && !isGiven(kind, one.id)
          ? [[one.id, idOf(kind, one.after)] as const]
          : [],
      );
      return names.length === 0 ? [] : [[kind, new Map(names)] as const];
    }),
  );
}

function renamedIn(holder: Holder, value: Value<Kind>, renamed: NewNames): object | null {
  if (holder !== "settings") return withNewNames(holder, value, renamed);
  const { name, value: settings } = value as Value<"settings">;
  const after = withNewNames(holder, settings, renamed);
  return after === null ? null : { name, value: after };
}
