import { z } from "zod";
import { changeRow } from "@/lib/contracts/changes/change";
import { listQuery, pageOf } from "@/lib/contracts/changes/list";
import { CHANGE_ACTIONS } from "@/lib/resources/parts/words";
import { ROLES } from "@/lib/resources/permissions";

/** `GET /api/admin/revisions`: newest first. */
export const revisionQuery = z.strictObject(listQuery.pick({ limit: true, cursor: true }).shape);

/** One saved change of the configuration. */
export const revisionRow = z.object({
  number: z.int(),
  at: z.iso.datetime(),
  actor: z.object({ kind: z.enum(["user", "token", "system"]), name: z.string(), role: z.enum(ROLES) }),
  note: z.string(),
  /** The number of rows that the revision changed. */
  changes: z.int(),
  /** The first of these rows, at most three, without those that the role may not read. */
  first: z.array(z.object({ resource: z.string(), id: z.string(), action: z.enum(CHANGE_ACTIONS) })),
});

/** A page of revisions. */
export const revisionPage = pageOf(revisionRow);

/** One revision with its changes (the first 500 rows). */
export const revisionDetail = revisionRow.extend({ rows: z.array(changeRow) });

/** The query, parsed. */
export type RevisionQuery = z.output<typeof revisionQuery>;
/** One revision. */
export type RevisionRow = z.output<typeof revisionRow>;
/** One revision with its changes. */
export type RevisionDetail = z.output<typeof revisionDetail>;
