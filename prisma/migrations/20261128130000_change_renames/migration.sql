-- The renames that gave a row its name: its history goes on under the former name.
CREATE INDEX "change_rename_idx" ON "change" ("resource", (coalesce("after"->>'id', "after"->>'name')), "id")
  WHERE "action" = 'update' AND coalesce("after"->>'id', "after"->>'name') <> "rowId";
