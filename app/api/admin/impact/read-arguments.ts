import type { Person } from "@/lib/auth/people/user";
import { AppError } from "@/lib/errors";
import { can } from "@/lib/resources/permissions";
import { recordAuditEvent } from "@/lib/store/audit/audit-events";

/**
 * Refuses a person who may not read bodies: conditions on logged arguments reveal something about them. The returned
 * function records the read. An impact runs it after its last check and before it reads the log.
 */
export function admitArguments({ actor, role }: Person, requestId: string): () => Promise<void> {
  if (!can(role, "executions:bodies"))
    throw new AppError("forbidden", "Reading the arguments of logged calls needs the permission `executions:bodies`.", {
      extra: { permission: "executions:bodies" },
    });
  return () => recordAuditEvent({ actor, action: "executions.arguments", target: "impact", requestId });
}
