import type { StatedRequest } from "@/lib/access/model/request";
import type { FieldProblem } from "@/lib/errors";
import type { SessionRow } from "@/lib/store/calls/sessions";

/** The request fields that a caller may state; `undefined` and `null` = not stated (docs/reference/decision.md#inputs). */
export interface Stated {
  readonly group?: readonly string[] | null | undefined;
  readonly state?: string | null | undefined;
  readonly machine?: string | null | undefined;
  readonly profile?: string | null | undefined;
  readonly intent?: string | null | undefined;
  readonly confidence?: number | null | undefined;
}

/** The complete request fields: stated by the caller, or taken from its session. */
interface RequestFields extends Pick<StatedRequest, keyof Stated> {
  readonly escalated: boolean;
  readonly labels: readonly string[];
  /** The state comes from a session, whose state the server holds. */
  readonly fromSession: boolean;
}

const HELD_BY_SESSION = ["group", "state", "machine", "profile"] as const;

/** The fields that a request states although its session holds them: each is a 400. */
export function sessionConflicts(stated: Stated): FieldProblem[] {
  return HELD_BY_SESSION.filter((field) => (stated[field] ?? null) !== null).map((path) => ({
    path,
    message: "comes from the session: state either this or `session_id`",
  }));
}

/** Completes the stated fields with those of the session. A stated intent replaces the session's for this request only. */
export function completeRequest(stated: Stated, session: SessionRow | null, labels: readonly string[]): RequestFields {
  const fields = session ?? stated;
  const routing = session !== null && (stated.intent ?? null) === null ? session : stated;
  // One literal: an object made by spreading is slow to read, and every list reads this one.
  return {
    group: fields.group ?? null,
    state: fields.state ?? null,
    machine: fields.machine ?? null,
    profile: fields.profile ?? null,
    intent: routing.intent ?? null,
    confidence: routing.confidence ?? null,
    escalated: session?.escalated ?? false,
    labels,
    fromSession: session !== null,
  };
}
