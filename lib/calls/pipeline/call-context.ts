import type { Resolution, ResolveRequest } from "@/lib/access/decide/resolution";
import { isStateHeld, toRequest } from "@/lib/access/model/request";
import type { Caller } from "@/lib/auth/agents/caller";
import type { LabelPreconditions, Preconditions, SessionHold } from "@/lib/store/log/executions-rows";
import type { SessionRow } from "@/lib/store/calls/sessions";
import type { Snapshot } from "@/lib/store/snapshot/snapshot";
import { namesOf, readLabels, type CallLabels } from "@/lib/calls/pipeline/labels";
import { completeRequest } from "@/lib/calls/pipeline/request-fields";
import type { Call, Refusal } from "@/lib/calls/pipeline/call";
import type { Dependencies } from "@/lib/calls/pipeline/dependencies";
import { logProfileUse } from "@/lib/calls/record/profile-use";

/** One caller under one revision: what the pipeline reads from step 2 on. */
export interface CallContext {
  readonly snapshot: Snapshot;
  readonly caller: Caller;
  readonly session: SessionRow | null;
  readonly labels: CallLabels;
  readonly request: ResolveRequest;
  readonly resolution: Resolution;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** A context, or why there is none: the request itself is refused. */
type CallContextResult =
  | { readonly ok: true; readonly context: CallContext }
  | { readonly ok: false; readonly refusal: Refusal; readonly session: SessionRow | null };

/** Step 2, first half: session, request, resolution (docs/reference/decision.md). */
export async function buildCallContext(
  call: Pick<Call, "sessionId" | "stated" | "requestId"> & { readonly opensSession?: boolean },
  caller: Caller,
  snapshot: Snapshot,
  deps: Pick<Dependencies, "findSession" | "findHeldLabels" | "resolve" | "now">,
): Promise<CallContextResult> {
  const now = deps.now();
  const session =
    call.sessionId === null ? null : await deps.findSession(call.sessionId, caller.principal, new Date(now));
  if (call.sessionId !== null && session === null)
    return {
      ok: false,
      session,
      refusal: { code: "session_not_found", message: SESSION_NOT_FOUND, reason: "session_not_found" },
    };
  const { issuer, subject } = caller.principal;
  const holder = { issuer, subject, sessionId: session?.id ?? null };
  const labels = await readLabels(holder, snapshot, now, deps.findHeldLabels);
  const stated = completeRequest(call.stated, session, namesOf(labels.held));
  const answer = toRequest(snapshot.index, caller, stated);
  if (!answer.ok) return { ok: false, session, refusal: badField(answer.path, answer.message) };
  const { request } = answer;
  if (session === null && call.opensSession !== true && isStateHeld(caller.agent, request.machine))
    return {
      ok: false,
      session,
      refusal: { ...badField("session_id", SESSION_REQUIRED), reason: "session_required" },
    };
  const resolution = deps.resolve(snapshot.index, request, now, {});
  logProfileUse(snapshot.index, resolution.profiles, call.requestId);
  return { ok: true, context: { snapshot, caller, session, labels, request, resolution, now } };
}

/** The same message for an unknown session, an expired one and another caller's. */
export const SESSION_NOT_FOUND = "There is no such session: it expired, or it is not yours.";

const SESSION_REQUIRED =
  'the state of this agent\'s state machine is in a session: create one with `POST /api/agents/sessions` (`group` states its groups, `["*"]` all of them) and send its `session_id`';

function badField(path: string, message: string): Refusal {
  return {
    code: "invalid_request",
    message: `\`${path}\`: ${message}.`,
    details: [{ path, message }],
    reason: `${path}: ${message}`,
  };
}

/** The facts that must still hold when the row of the call is written. */
export function preconditionsOf(
  caller: Caller,
  snapshot: Snapshot,
  session: SessionRow | null,
  { labels = null, hold = null }: { readonly labels?: LabelPreconditions | null; readonly hold?: SessionHold | null },
): Preconditions {
  return {
    revision: snapshot.revision,
    key:
      caller.credential.kind === "api_key"
        ? { id: caller.credential.keyId, agent: caller.principal.agent ?? "" }
        : null,
    session: session === null ? null : { id: session.id, version: session.version, hold },
    labels,
  };
}

/** Whether a caller was authenticated under another revision: its key or its agent may be gone, or its attributes changed. */
export function isOutdated(caller: Caller, snapshot: Snapshot): boolean {
  return caller.revision !== snapshot.revision;
}
