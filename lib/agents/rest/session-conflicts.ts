import { AppError } from "@/lib/errors";
import { sessionConflicts, type Stated } from "@/lib/calls/pipeline/request-fields";

/**
 * Refuses a request that names a session and also states a value that the session holds (docs/reference/decision.md#inputs).
 *
 * @throws AppError `invalid_request` naming each field
 */
export function requireNoConflict(stated: Stated, sessionId: string | undefined): void {
  if (sessionId === undefined) return;
  const errors = sessionConflicts(stated);
  if (errors.length > 0)
    throw new AppError("invalid_request", "The session already has group, state, machine and profile.", { errors });
}
