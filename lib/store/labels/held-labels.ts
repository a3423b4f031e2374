import { db } from "@/lib/store/db/database";
import { RAISE_COLUMNS, raiseFrom } from "@/lib/store/labels/raise-sql";
import type { RaisedLabel } from "@/lib/store/log/executions-rows";

/** A run or a caller, as labels are held. A new session, client or token of a caller sheds no label of the caller. */
export interface LabelHolder {
  readonly issuer: string;
  readonly subject: string;
  /** `null` = a call without a session. */
  readonly sessionId: string | null;
}

/** One held label, and the call that raised it. */
export interface HeldLabel {
  readonly label: string;
  readonly callId: string;
  readonly toolId: string;
  readonly at: Date;
}

/** The labels that a run holds: its own and its caller's, in one statement. */
export async function findHeldLabels(
  { issuer, subject, sessionId }: LabelHolder,
  now: Date,
): Promise<readonly HeldLabel[]> {
  return db().heldLabel.findMany({
    where: {
      issuer,
      subject,
      session: { in: sessionId === null ? [""] : ["", sessionId] },
      OR: [{ until: null }, { until: { gt: now } }],
    },
    select: { label: true, callId: true, toolId: true, at: true },
    orderBy: { at: "asc" },
  });
}

/** The names of the labels that many runs hold, sorted, as one text each, in the order of the runs. One statement. */
export async function heldLabelSets(holders: readonly LabelHolder[], now: Date): Promise<readonly string[]> {
  if (holders.length === 0) return [];
  const rows = await db().$queryRaw<{ held: string }[]>`
    SELECT COALESCE((
      SELECT string_agg(DISTINCT label COLLATE "C", ',' ORDER BY label COLLATE "C") FROM held_label
      WHERE held_label.issuer = holder.issuer AND held_label.subject = holder.subject
        AND session IN ('', holder.session) AND ("until" IS NULL OR "until" > ${now})), '') AS held
    FROM unnest(${holders.map(({ issuer }) => issuer)}::text[], ${holders.map(({ subject }) => subject)}::text[],
      ${holders.map(({ sessionId }) => sessionId ?? "")}::text[]) WITH ORDINALITY AS holder(issuer, subject, session, place)
    ORDER BY holder.place`;
  return rows.map(({ held }) => held);
}

/** Raises labels outside a call: a stored result that is delivered again has been read again. */
export async function raiseLabels({ issuer, subject }: LabelHolder, raises: readonly RaisedLabel[]): Promise<void> {
  if (raises.length === 0) return;
  const select = `
    SELECT $1, $2, raise."session", raise."label", raise."callId", raise."toolId", raise."at", raise."until"
    FROM json_to_recordset($3::json) AS raise (${RAISE_COLUMNS}) ORDER BY 3, 4`;
  await db().$executeRawUnsafe(raiseFrom(select), issuer, subject, JSON.stringify(raises));
}

/** Most rows that one run of the job deletes. */
const MAX_DELETED = 10_000;

/** Deletes labels that have ended: their time is over, or their session is gone. Skips rows that a call is raising again. */
export async function sweepHeldLabels(now: Date): Promise<void> {
  await db().$executeRaw`
    DELETE FROM held_label WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM held_label WHERE "until" <= ${now}
        OR (session <> '' AND NOT EXISTS (SELECT FROM agent_session WHERE agent_session.id = session))
      LIMIT ${MAX_DELETED} FOR UPDATE SKIP LOCKED))`;
}
