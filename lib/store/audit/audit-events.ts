import type { LabelOwner } from "@/lib/access/flow/replay";
import { storableText } from "@/lib/access/model/storable";
import type { AuditAction, RefusalAction } from "@/lib/contracts/log/audit-trail";
import type { Actor } from "@/lib/store/save/change";
import { db } from "@/lib/store/db/database";
import type { PrismaClient } from "@/lib/store/generated/client";

/** An OAuth client that acts by itself, such as one that revokes its token. */
interface ClientActor {
  readonly kind: "client";
  readonly name: string;
  readonly role: "";
}

/** An action that the audit trail records although it changes no configuration. */
interface AuditEvent {
  readonly actor: Actor | ClientActor;
  readonly action: Exclude<AuditAction, RefusalAction>;
  /** A call id, a session id, a person, a source or an export's id; `impact` for arguments of many calls. */
  readonly target: string;
  readonly requestId: string | null;
  /** The network address of the request. */
  readonly address?: string;
  /** One more word about the action, such as the provider of a sign-in. */
  readonly detail?: string;
  /** The run or caller from which a label was taken. */
  readonly owner?: LabelOwner;
}

/** Longest text of a column. Longer text is cut and ends with an ellipsis. */
const MAX_CHARACTERS = 320;

/**
 * Writes an audit event, on its own or in a transaction. A caller that may answer only after the row exists awaits it.
 *
 * @throws AppError `config_unavailable` when the row cannot be written
 */
export async function recordAuditEvent(
  { actor, action, target, requestId, address, detail, owner }: AuditEvent,
  client: Pick<PrismaClient, "auditEvent"> = db(),
  now: Date = new Date(),
): Promise<void> {
  const data = {
    at: now,
    kind: actor.kind,
    actor: auditText(actor.name),
    role: actor.role,
    action,
    target: auditText(target),
    requestId,
    address: address === undefined ? null : auditText(address),
    detail: detail === undefined ? null : auditText(detail),
    ...owner,
  };
  await client.auditEvent.create({ data });
}

/** Milliseconds in which further reads of the same bodies belong to one view: a page asks for a call and its decision. */
const VIEW_MS = 60_000;

/**
 * Writes that an actor read the bodies of a call, unless the same actor's view of them within the last minute is recorded
 * already. A caller may answer only after the row exists.
 *
 * @throws AppError `config_unavailable` when the row cannot be written
 */
export async function recordFurtherRead(event: AuditEvent, now: Date = new Date()): Promise<void> {
  const { actor, action, target } = event;
  const seen = await db().auditEvent.count({
    where: {
      target: auditText(target),
      action,
      kind: actor.kind,
      actor: auditText(actor.name),
      role: actor.role,
      at: { gt: new Date(now.getTime() - VIEW_MS), lte: now },
    },
    take: 1,
  });
  if (seen === 0) await recordAuditEvent(event, db(), now);
}

/** Makes text fit a column: cuts it, and replaces characters that Postgres refuses. */
export function auditText(text: string): string {
  const cut = text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS - 1)}…` : text;
  return storableText(cut);
}
