import { z } from "zod";
import { toResponse } from "@/lib/agents/call";
import { agent } from "@/lib/auth/agents/agent";
import { AppError } from "@/lib/errors";
import { eventStream } from "@/lib/http/event-stream";
import { route } from "@/lib/http/route";
import { waitQuery } from "@/lib/resources/agent-api";
import { expireApprovals } from "@/lib/store/approvals";
import { getExecution } from "@/lib/store/executions";
import { cancelKept, onCallEnded, onCallEvent, readKept } from "@/lib/store/kept-calls";
import type { Principal } from "@/lib/store/sessions";
import { givenUp, isOpen, type Answer } from "@/lib/tools/answer";
import { keptAnswer, recordedAnswer, toKeptText } from "@/lib/tools/recorded";

/** Notices may be lost with their connection: a waiting caller looks for itself this often, in milliseconds. */
const LOOK_MS = 2_000;
/** Milliseconds that a cancelled call has to end in, before it is answered as running. */
const CANCEL_MS = 2_000;

const params = z.object({ id: z.string().min(1).max(64) });

/** GET /api/agents/calls/{call_id}: one of the caller's own calls; `wait` seconds for its end (3-http, Agent API). */
export const readCall = route({
  authenticate: agent(),
  params,
  query: waitQuery,
  respond: async ({ caller, params: { id }, query, request }) =>
    toPolled(await untilEnded(id, caller.principal, query.wait * 1000, request.signal)),
});

/** DELETE /api/agents/calls/{call_id}: gives a call up. What has ended stays as it is. */
export const cancelCall = route({
  authenticate: agent(),
  params,
  respond: async ({ caller, params: { id }, request }) => {
    const { principal } = caller;
    const { answer, ended } = await standing(id, principal);
    const before = givenUp(answer);
    if (!ended) await cancelKept(id, principal, { ended: before, answer: toKeptText(before) });
    return toPolled(await untilEnded(id, principal, CANCEL_MS, request.signal));
  },
});

/** GET /api/agents/calls/{call_id}/events: `progress` and `chunk` from now on, then `result`. */
export const followCall = route({
  authenticate: agent(),
  params,
  respond: async ({ caller, params: { id } }) => {
    const { principal } = caller;
    await standing(id, principal);
    return eventStream(async ({ send, left }) => {
      const stop = onCallEvent(({ callId, event, data }) => {
        if (callId !== id) return;
        if (event === "progress") send("progress", { call_id: id, ...(data as object) });
        else send("chunk", { call_id: id, data });
      });
      try {
        const { answer } = await untilEnded(id, principal, Number.POSITIVE_INFINITY, left);
        send("result", answer.output);
      } finally {
        stop();
      }
    });
  },
});

/** How a call stands. */
interface Standing {
  readonly answer: Answer;
  readonly ended: boolean;
}

/** A poll succeeds whatever became of the call; an open one is 202. */
function toPolled({ answer }: Standing): Response {
  return toResponse({ code: null, output: answer.output });
}

/** @throws AppError `not_found` for another's and an unknown call alike */
async function standing(id: string, principal: Principal): Promise<Standing> {
  const kept = await readKept(id, principal);
  if (kept?.status === "waiting" && (await expireApprovals(new Date())) > 0) return standing(id, principal);
  const answered = kept === null ? null : keptAnswer(kept);
  if (answered !== null) return { answer: answered, ended: true };
  const execution = await getExecution(id, { bodies: true });
  if (execution === null || execution.issuer !== principal.issuer || execution.subject !== principal.subject)
    throw new AppError("not_found", "There is no such call of yours.");
  const answer = recordedAnswer(execution);
  if (kept?.status === "queued")
    return { answer: { ...answer, output: { ...answer.output, status: "pending" } }, ended: false };
  return { answer, ended: !isOpen(answer) };
}

async function untilEnded(id: string, principal: Principal, ms: number, left: AbortSignal): Promise<Standing> {
  const until = Date.now() + ms;
  let wake = () => {};
  const stop = onCallEnded((callId) => {
    if (callId === null || callId === id) wake();
  });
  left.addEventListener("abort", () => wake(), { once: true });
  try {
    for (;;) {
      const woken = new Promise<void>((resolve) => (wake = resolve));
      const now = await standing(id, principal);
      const rest = Math.min(until - Date.now(), LOOK_MS);
      if (now.ended || rest <= 0 || left.aborted) return now;
      const timer = setTimeout(() => wake(), rest);
      await woken;
      clearTimeout(timer);
    }
  } finally {
    stop();
  }
}
