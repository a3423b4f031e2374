import type { Index } from "@/lib/access/compile/compile";
import { toRequest } from "@/lib/access/model/request";
import { check } from "@/lib/access/decide/resolve";
import type { ResolveRequest } from "@/lib/access/decide/resolution";
import { reauthenticate } from "@/lib/auth/agents/authenticate";
import type { Caller } from "@/lib/auth/agents/caller";
import { findAsked, type AskedOfCall } from "@/lib/store/log/executions";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";
import type { Answer } from "@/lib/calls/pipeline/answer";

/** Whether a caller may have what an earlier call of it answered, under the rules of now. */
export type MayRead = (caller: Caller) => Promise<boolean>;

/** Reads what a call asked for; whether its answer may be given is then decided in memory, as often as needed. */
export async function readerOf(callId: string): Promise<MayRead> {
  const asked = await findAsked(callId);
  return async (caller) => {
    // Without its row nobody can tell.
    if (asked === null) return false;
    // No tool was found: its answer says that and nothing else.
    if (asked.toolId === null) return true;
    const snapshot = await currentSnapshot();
    const now = Date.now();
    const fresh = reauthenticate(caller, snapshot, now);
    const request = requestNow(snapshot.index, fresh, asked);
    return request !== null && check(snapshot.index, request, asked.toolId, now).verdict === "visible";
  };
}

/** An answer, or that it is withheld because its tool is not visible to the caller any more. */
export async function unlessWithheld(answer: Answer, caller: Caller): Promise<Answer> {
  const { output } = answer;
  const mayRead = await readerOf(output.call_id);
  return (await mayRead(caller)) ? answer : withheld(answer);
}

function withheld({ output }: Answer): Answer {
  const { output: _output, content: _content, truncated: _truncated, ...rest } = output;
  const message = "The answer of this call is withheld: its tool is not available to you now.";
  const error = { code: "tool_not_available", message, retryable: false };
  return { code: "tool_not_available", output: { ...rest, status: "denied", error } };
}

/** The request of the call as it would be decided now: what it asked for then, with the caller's rights and profile of now. */
function requestNow(index: Index, caller: Caller, { request, stateBefore }: AskedOfCall): ResolveRequest | null {
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
    // The call's own state and machine: the session may have moved on since, by this very call.
    fromSession: true,
  });
  return answer.ok ? answer.request : null;
}
