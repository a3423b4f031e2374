import type { Index } from "@/lib/access/compile/compile";
import { toRequest } from "@/lib/access/model/request";
import { check } from "@/lib/access/decide/resolve";
import type { ResolveRequest } from "@/lib/access/decide/resolution";
import { reauthenticate } from "@/lib/auth/agents/authenticate";
import type { Caller } from "@/lib/auth/agents/caller";
import { findLoggedRequest, type LoggedRequest } from "@/lib/store/log/executions";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";
import type { Answer } from "@/lib/calls/pipeline/answer";

/** Whether the current rules let a caller read the answer of its earlier call. */
type MayRead = (caller: Caller) => Promise<boolean>;

/** Reads the request of a call once. The returned function then decides in memory, as often as needed. */
export async function readerOf(callId: string): Promise<MayRead> {
  const asked = await findLoggedRequest(callId);
  return async (caller) => {
    // Without its row there is nothing to decide on.
    if (asked === null) return false;
    // The call found no tool, and its answer contains only that.
    if (asked.toolId === null) return true;
    const snapshot = await currentSnapshot();
    const now = Date.now();
    const fresh = reauthenticate(caller, snapshot, now);
    const request = requestNow(snapshot.index, fresh, asked);
    return request !== null && check(snapshot.index, request, asked.toolId, now).verdict === "visible";
  };
}

/** The answer, or a refusal when its tool is no longer visible to the caller. */
export async function withholdIfHidden(answer: Answer, caller: Caller): Promise<Answer> {
  const { output } = answer;
  const mayRead = await readerOf(output.call_id);
  return (await mayRead(caller)) ? answer : withheld(answer);
}

function withheld({ output }: Answer): Answer {
  const { output: _output, content: _content, truncated: _truncated, ...rest } = output;
  const message = "The result of this call is withheld, because its tool is not available to you now.";
  const error = { code: "tool_not_available", message, retryable: false };
  return { code: "tool_not_available", output: { ...rest, status: "denied", error } };
}

/** The call's request for a decision now: its own fields, with the caller's current rights and profile. */
function requestNow(index: Index, caller: Caller, { request, stateBefore }: LoggedRequest): ResolveRequest | null {
  const { group, machine, profiles, intent, confidence, escalated } = request as Partial<ResolveRequest>;
  const own = (profiles ?? []).filter((name) => name !== caller.agent?.profile);
  const answer = toRequest(index, caller, {
    group: group ?? null,
    state: stateBefore,
    machine: machine ?? null,
    profile: own[0] ?? null,
    intent: intent ?? null,
    confidence: confidence ?? null,
    escalated: escalated ?? false,
    // Uses the call's own state and machine: this call may have moved the session since.
    fromSession: true,
  });
  return answer.ok ? answer.request : null;
}
