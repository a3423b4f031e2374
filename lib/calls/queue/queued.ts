import type { Caller } from "@/lib/auth/agents/caller";
import type { CallOutput } from "@/lib/contracts/agents/agent-api";
import type { QueuedCall } from "@/lib/store/calls/stored-calls";
import type { Call } from "@/lib/calls/pipeline/call";
import type { AuthorizedCall } from "@/lib/calls/pipeline/decide";
import { bodyDigest } from "@/lib/calls/pipeline/idempotency";
import { toDelivery } from "@/lib/calls/record/recorded";
import { isRepeatable } from "@/lib/calls/pipeline/repeat";

/** A queued call. It was decided when it was accepted, and is decided again when it starts. */
export interface Job {
  readonly call: Omit<Call, "arguments" | "caller" | "reauthenticate" | "mode" | "listener" | "trace"> &
    Pick<AuthorizedCall, "arguments"> &
    // Calls that an older version accepted have no trace.
    Partial<Pick<Call, "trace">>;
  readonly caller: Caller;
}

/** The delivery guarantee of an async call when its process dies. */
export function deliveryOf({ tool, source }: AuthorizedCall): CallOutput["delivery"] {
  return toDelivery(isRepeatable(tool, source));
}

/** The stored form of a call in the queue. */
export function toQueued(call: Call, caller: Caller, authorized: AuthorizedCall): QueuedCall {
  const { callId, requestId, door, toolId, name, sessionId, stated, at, idempotencyKey, trace } = call;
  const storedFacts = { callId, requestId, door, toolId, name, sessionId, stated, at, idempotencyKey, trace };
  const job: Job = { call: { ...storedFacts, arguments: authorized.arguments }, caller };
  return {
    principal: caller.principal,
    job: JSON.stringify(job),
    bodyDigest: bodyDigest(call),
    repeatable: isRepeatable(authorized.tool, authorized.source),
    callback: call.callbackUrl === undefined ? null : { url: call.callbackUrl, caller: callerWithoutBearer(caller) },
  };
}

/** The caller of a callback as JSON. Enough to check later that its credential is still valid, without the credential. */
function callerWithoutBearer(caller: Caller): string {
  return JSON.stringify({ ...caller, claims: {}, bearer: "" } satisfies Caller);
}
