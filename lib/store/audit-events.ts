import { db } from "@/lib/store/database";
import { translated } from "@/lib/store/translate";
import type { Actor } from "@/lib/store/write";

/** What is written down although it changes no configuration (4-execution, The log). */
export interface AuditEvent {
  readonly actor: Actor;
  readonly action:
    | "executions.bodies"
    | "executions.arguments"
    | "executions.exported"
    | "sessions.bodies"
    | "users.password"
    | "sources.breaker_reset"
    | "tools.tried"
    | "approvals.arguments"
    | "approvals.approved"
    | "approvals.refused";
  /** A call id, a session id, an e-mail address, a source, an export's id; `impact` for the arguments of the latest calls together. */
  readonly target: string;
  readonly requestId: string | null;
}

/** Writes an event down; whoever needs it written waits for it: no row, no look. */
export async function noteEvent({ actor, ...event }: AuditEvent): Promise<void> {
  const who = { kind: actor.kind, actor: actor.name, role: actor.role };
  await translated(() => db().auditEvent.create({ data: { ...event, ...who, at: new Date() } }));
}
