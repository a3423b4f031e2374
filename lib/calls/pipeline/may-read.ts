import type { Index } from "@/lib/access/compile/compile";
import { toRequest } from "@/lib/access/model/request";
import { check } from "@/lib/access/decide/resolve";
import type { ResolveRequest } from "@/lib/access/decide/resolution";
import { reauthenticate } from "@/lib/auth/agents/authenticate";
import type { Caller } from "@/lib/auth/agents/caller";
import { findLoggedRequest, type LoggedRequest } from "@/lib/store/log/executions";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";
import { raisesOfAnswer } from "@/lib/calls/pipeline/labels";
import { raiseLabels } from "@/lib/store/labels/held-labels";
import type { Answer } from "@/lib/calls/pipeline/answer";

/** The reader of the answer of an earlier call. */
interface Reader {
  /** The tool of the call; `null` when it found none. */
  readonly toolId: string | null;
  /** Whether the current rules let a caller read the answer. */
  readonly mayRead: (caller: Caller) => Promise<boolean>;
}

/** Reads the request of a call once. `mayRead` then decides in memory, as often as needed. */
export async function readerOf(callId: string): Promise<Reader> {
  const logged = await findLoggedRequest(callId);
  const mayRead: Reader["mayRead"] = async (caller) => {
    // Without its row there is nothing to decide on.
    if (logged === null) return false;
    // The call found no tool, so its answer contains nothing of one.
    if (logged.toolId === null) return true;
    const snapshot = await currentSnapshot();
    const now = Date.now();
    const fresh = reauthenticate(caller, snapshot, now);
    const request = requestNow(snapshot.index, fresh, logged);
    return request !== null && check(snapshot.index, request, logged.toolId, now).verdict === "visible";
  };
  return { toolId: logged?.toolId ?? null, mayRead };
}

/** The answer, or a refusal when the current rules hide its tool from the caller. A read answer raises its labels. */
export async function withholdIfHidden(answer: Answer, caller: Caller): Promise<Answer> {
  const { output } = answer;
  const { mayRead } = await readerOf(output.call_id);
  if (!(await mayRead(caller))) return withheld(answer);
  await raiseOnReader({ callId: output.call_id, toolId: output.tool_id }, caller);
  return answer;
}

/** Raises the labels of an earlier call's answer on its reader: on the caller, because a reader has no session. */
export async function raiseOnReader(
  { callId, toolId }: { readonly callId: string; readonly toolId: string | null },
  caller: Caller,
): Promise<void> {
  if (toolId === null) return;
  const { issuer, subject } = caller.principal;
  const holder = { issuer, subject, sessionId: null };
  const answer = { callId, toolId, sessionId: null, at: new Date() };
  await raiseLabels(holder, await raisesOfAnswer(answer, await currentSnapshot()));
}

function withheld({ output }: Answer): Answer {
  const { output: _output, content: _content, truncated: _truncated, ...rest } = output;
  const message = "The result of this call is withheld, because its tool is not available to you now.";
  const error = { code: "tool_not_available", message, retryable: false };
  return { code: "tool_not_available", output: { ...rest, status: "denied", error } };
}

/** The call's request for a decision now: its own fields, with the caller's current rights and profile. */
function requestNow(index: Index, caller: Caller, { request, stateBefore }: LoggedRequest): ResolveRequest | null {
  const { group, machine, profiles, intent, confidence, escalated, labels } = request as Partial<ResolveRequest>;
  const own = (profiles ?? []).filter((name) => name !== caller.agent?.profile);
  const answer = toRequest(index, caller, {
    group: group ?? null,
    state: stateBefore,
    machine: machine ?? null,
    profile: own[0] ?? null,
    intent: intent ?? null,
    confidence: confidence ?? null,
    escalated: escalated ?? false,
    // The call's own labels: what the caller has read since must not withhold an earlier answer.
    labels: labels ?? [],
    // Uses the call's own state and machine: this call may have moved the session since.
    fromSession: true,
  });
  return answer.ok ? answer.request : null;
}
