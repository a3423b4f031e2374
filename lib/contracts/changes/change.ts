import { z } from "zod";
import { listQuery, pageOf } from "@/lib/contracts/changes/list";
import { instant, revisionNumber } from "@/lib/resources/parts/name";
import { ROLES } from "@/lib/resources/permissions";
import { CHANGE_ACTIONS } from "@/lib/resources/parts/words";

/**
 * Filters of `GET /api/admin/changes`, newest first unless `sort=at`. `q` searches the row's id and the person; times
 * are ISO 8601, `from <= at < to`.
 */
export const changeQuery = z.strictObject({
  ...listQuery.pick({ q: true, limit: true, cursor: true }).shape,
  sort: z.enum(["at", "-at"], "sort by `at` or `-at`").default("-at"),
  from: instant.optional(),
  to: instant.optional(),
  action: z.enum(CHANGE_ACTIONS).optional(),
  resource: z.string().max(64).optional(),
  /** The changed row's id. With `resource`, also finds the changes under the row's former names. */
  id: z.string().max(200).optional(),
  actor: z.string().max(320).optional(),
  revision: z.coerce.number().pipe(revisionNumber).optional(),
});

/** One row changed in a revision: person, time, and the values before and after. */
export const changeRow = z.object({
  id: z.string(),
  revision: z.int(),
  at: z.iso.datetime(),
  actor: z.object({ kind: z.enum(["user", "token", "system"]), name: z.string(), role: z.enum(ROLES) }),
  resource: z.string(),
  rowId: z.string(),
  action: z.enum(CHANGE_ACTIONS),
  before: z.json().nullable(),
  after: z.json().nullable(),
});

/** A page of changes. */
export const changePage = pageOf(changeRow);

/** The filters, parsed. */
export type ChangeQuery = z.output<typeof changeQuery>;
/** One change. */
export type ChangeRow = z.output<typeof changeRow>;
