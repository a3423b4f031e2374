import { agentRoute } from "@/lib/agents/rest/agent-route";
import { toReply } from "@/lib/agents/rest/call";
import { callerStream } from "@/lib/agents/streams/caller-stream";
import { follow, createEventForwarder } from "@/lib/agents/streams/follow";
import { openStream } from "@/lib/agents/streams/open-streams";
import {
  cancelAcceptedCall,
  readCallStatus,
  shownTo,
  shownToFollower,
  type CallStatus,
} from "@/lib/agents/rest/call-status";
import type { Caller } from "@/lib/auth/agents/agent";
import { whileCredentialValid } from "@/lib/auth/agents/watch-credential";
import type { Reply } from "@/lib/http/reply";
import { AGENT_OPERATIONS } from "@/lib/contracts/operations/agent-operations";

/** The longest wait for a cancelled call to end, in milliseconds. After that, the answer says that it still runs. */
const CANCEL_MS = 2_000;

/** GET /api/agents/calls/{call_id}: one of the caller's own calls. `wait`: seconds to wait for its end (docs/reference/http.md#agent-api). */
export const readCall = agentRoute(AGENT_OPERATIONS.read_call, async ({ caller, params: { id }, query, request }) => {
  const close = query.wait === 0 ? () => {} : openStream(caller.principal);
  return toPolled(await readAfterWait(id, caller, query.wait * 1000, request.signal).finally(close));
});

/** DELETE /api/agents/calls/{call_id}: cancels a call. An ended call stays as it is. */
export const cancelCall = agentRoute(AGENT_OPERATIONS.cancel_call, async ({ caller, params: { id }, request }) => {
  const { principal } = caller;
  const { answer, ended } = await readCallStatus(id, principal);
  if (!ended) await cancelAcceptedCall(answer, principal);
  return toPolled(await readAfterWait(id, caller, CANCEL_MS, request.signal));
});

/** GET /api/agents/calls/{call_id}/events: new `progress` and `chunk` events, then `result`; or `closed`, which ends it. */
export const followCall = agentRoute(AGENT_OPERATIONS.follow_call, async ({ caller, params: { id } }) => {
  await readCallStatus(id, caller.principal);
  const close = openStream(caller.principal);
  return callerStream(caller, async ({ send, sendReplaceable, closed }) => {
    try {
      const forwarder = createEventForwarder(id, caller, ({ event, data }) => {
        if (event === "progress") sendReplaceable("progress", { call_id: id, ...(data as object) });
        else send("chunk", { call_id: id, data });
      });
      const ended = await follow(id, caller.principal, closed, forwarder.forward);
      await forwarder.drained();
      if (ended !== null) send("result", (await shownToFollower(caller, ended)).answer.output);
    } finally {
      close();
    }
  });
});

/** A poll succeeds whatever the call's outcome; an open call is 202. */
function toPolled({ answer }: CallStatus): Reply {
  return toReply({ code: null, output: answer.output });
}

/**
 * Waits at most `ms` milliseconds for the call's end and returns its state, as far as the caller may see it.
 *
 * @throws AppError `not_found`; `unauthenticated` when the caller's credential ends meanwhile
 */
async function readAfterWait(id: string, caller: Caller, ms: number, signal: AbortSignal): Promise<CallStatus> {
  return shownTo(caller, await waitForEnd(id, caller, ms, signal));
}

async function waitForEnd(id: string, caller: Caller, ms: number, signal: AbortSignal): Promise<CallStatus> {
  const now = await readCallStatus(id, caller.principal);
  if (now.ended || ms === 0) return now;
  const ended = await whileCredentialValid(caller, [signal, AbortSignal.timeout(ms)], (waiting) =>
    follow(id, caller.principal, waiting),
  );
  return ended ?? (await readCallStatus(id, caller.principal));
}
