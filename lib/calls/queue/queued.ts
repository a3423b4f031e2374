import type { Caller } from "@/lib/auth/agents/caller";
import type { CallOutput } from "@/lib/contracts/agents/agent-api";
import type { QueuedCall } from "@/lib/store/calls/kept-calls";
import type { Call } from "@/lib/calls/pipeline/call";
import type { AuthorizedCall } from "@/lib/calls/pipeline/decide";
import { bodyDigest } from "@/lib/calls/pipeline/idempotency";
import { toDelivery } from "@/lib/calls/record/recorded";
import { isRepeatable } from "@/lib/calls/pipeline/run";

/** A call as it waits: decided once, to be decided again under the rules of its start. */
export interface Job {
  readonly call: Omit<Call, "caller" | "reauthenticate" | "mode" | "listener" | "trace"> &
    // Calls that an older version accepted have none.
    Partial<Pick<Call, "trace">>;
  readonly caller: Caller;
}

/** What the death of its process would do to a call, were it answered later. */
export function deliveryOf({ tool, source }: AuthorizedCall): CallOutput["delivery"] {
  return toDelivery(isRepeatable(tool, source));
}

/** What the queue keeps of a call. */
export function toQueued(call: Call, caller: Caller, authorized: AuthorizedCall): QueuedCall {
  const { callId, requestId, door, toolId, name, sessionId, stated, at, idempotencyKey, trace } = call;
  const kept = { callId, requestId, door, toolId, name, sessionId, stated, at, idempotencyKey, trace };
  const job: Job = { call: { ...kept, arguments: authorized.arguments }, caller };
  return {
    principal: caller.principal,
    job: JSON.stringify(job),
    bodyDigest: bodyDigest(call),
    repeatable: isRepeatable(authorized.tool, authorized.source),
    callback: call.callbackUrl === undefined ? null : { url: call.callbackUrl, caller: toKnownCaller(caller) },
  };
}

/** JSON of who asked for a callback: enough to see later whether the credential still stands, and nothing to use it with. */
function toKnownCaller(caller: Caller): string {
  return JSON.stringify({ ...caller, claims: {}, bearer: "" } satisfies Caller);
}
