import { OWN_ISSUER } from "@/lib/access/model/claims";
import { AppError } from "@/lib/errors";
import type { ClearLabelInput, HeldLabelRow } from "@/lib/contracts/log/held-label";
import { recordAuditEvent } from "@/lib/store/audit/audit-events";
import { ownCall } from "@/lib/store/calls/own-calls";
import { db } from "@/lib/store/db/database";
import { translateErrors } from "@/lib/store/db/translate";
import type { Actor } from "@/lib/store/save/change";

/** Most holders of an answer. */
const MAX_HOLDERS = 200;

/**
 * The latest runs and callers that hold a label.
 *
 * @throws AppError `not_found` for a label that is neither defined nor held; `config_unavailable`
 */
export async function listHolders(
  label: string,
  now = new Date(),
): Promise<{ readonly items: HeldLabelRow[]; readonly more: boolean }> {
  const rows = await translateErrors(() =>
    db().heldLabel.findMany({
      where: { label, OR: [{ until: null }, { until: { gt: now } }] },
      orderBy: [{ at: "desc" }, { callId: "desc" }],
      take: MAX_HOLDERS + 1,
    }),
  );
  if (rows.length === 0 && (await translateErrors(() => db().label.count({ where: { name: label } }))) === 0)
    throw new AppError("not_found", "There is no such label.");
  const items = rows.slice(0, MAX_HOLDERS).map(({ label: _label, session, at, until, ...row }) => ({
    ...row,
    session: session === "" ? null : session,
    at: at.toISOString(),
    until: until?.toISOString() ?? null,
  }));
  return { items, more: rows.length > MAX_HOLDERS };
}

/**
 * Takes a label from one run or caller, and records the reason in the audit trail.
 *
 * @throws AppError `forbidden` for the actor's own calls and agents; `not_found` when nobody holds the label so
 */
export async function clearLabel(
  { actor, requestId }: { readonly actor: Actor; readonly requestId: string },
  label: string,
  { issuer, subject, session, reason }: ClearLabelInput,
): Promise<void> {
  const agent = issuer === OWN_ISSUER ? subject : null;
  if ((await ownCall(actor, { issuer, subject, agent })) !== null)
    throw new AppError("forbidden", "This is your own caller or agent. Another person must clear its labels.");
  await translateErrors(() =>
    db().$transaction(async (tx) => {
      const { count } = await tx.heldLabel.deleteMany({ where: { issuer, subject, session: session ?? "", label } });
      if (count === 0) throw new AppError("not_found", "Nobody holds this label so: it ended or was cleared.");
      const detail = `${subject} (${issuer})${session === null ? "" : `, session ${session}`}: ${reason}`;
      await recordAuditEvent({ actor, action: "labels.cleared", target: label, requestId, detail }, tx);
    }),
  );
}
