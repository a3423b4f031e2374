import { z } from "zod";

/** How one row changed between two revisions; never a secret. */
export const rowDifference = z.object({
  resource: z.string(),
  id: z.string(),
  action: z.enum(["create", "update", "delete"]),
  before: z.json().nullable(),
  after: z.json().nullable(),
});

/** `GET /api/admin/revisions/{a}/diff/{b}`: the changes from `from` to `to`, which may be the older one. */
export const revisionDiff = z.object({
  from: z.int(),
  to: z.int(),
  created: z.int(),
  changed: z.int(),
  deleted: z.int(),
  changes: z.array(rowDifference),
});

/** `POST /api/admin/revisions/{n}/restore`: the new revision, and the number of rows that the restore changed. */
export const revisionRestored = z.object({ revision: z.int(), restored: z.int(), changes: z.int() });

/** One row's difference. */
export type RowDifference = z.output<typeof rowDifference>;
/** A diff. */
export type RevisionDiff = z.output<typeof revisionDiff>;
/** A restore. */
export type RevisionRestored = z.output<typeof revisionRestored>;
