import type { AuditAction, RefusalAction } from "@/lib/contracts/log/audit-trail";
import type { Actor } from "@/lib/store/save/change";
import { db } from "@/lib/store/db/database";
import type { PrismaClient } from "@/lib/store/generated/client";
import { translated } from "@/lib/store/db/translate";

/** What is written down although it changes no configuration. */
export interface AuditEvent {
  readonly actor: Actor;
  readonly action: Exclude<AuditAction, RefusalAction>;
  /** A call id, a session id, an e-mail address, a source, an export's id; `impact` for the arguments of the latest calls together. */
  readonly target: string;
  readonly requestId: string | null;
  /** The network address of the request. */
  readonly address?: string;
  /** A word that the action needs, such as the provider of a sign-in. */
  readonly detail?: string;
}

/** Longest text of a column; what follows is cut off with a mark. */
const MOST_CHARACTERS = 320;

/**
 * Writes an audit event, by itself or in a transaction. A caller that must not answer without the row waits for it.
 *
 * @throws AppError `config_unavailable` when it cannot be written
 */
export async function recordAuditEvent(
  { actor, action, target, requestId, address, detail }: AuditEvent,
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
  };
  await translated(() => client.auditEvent.create({ data }));
}

/** Text as a column takes it: cut, and without characters that Postgres refuses. */
export function auditText(text: string): string {
  const cut = text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS - 1)}…` : text;
  return cut.replaceAll(/[\0\p{Surrogate}]/gu, "\uFFFD");
}
