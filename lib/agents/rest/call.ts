import { agentRoute } from "@/lib/agents/rest/agent-route";
import type { EventSink } from "@/lib/http/event-stream";
import { callerStream } from "@/lib/agents/streams/caller-stream";
import { callRequestAccess } from "@/lib/agents/rest/call-request-access";
import { callListed, type Run } from "@/lib/agents/rest/search-listing";
import { logRefusedBody, type RefusedBody } from "@/lib/agents/rest/refused-body";
import { scopeChallenge } from "@/lib/agents/scope-challenge";
import { requireNoConflict } from "@/lib/agents/rest/session-conflicts";
import { agent } from "@/lib/auth/agents/agent";
import { AppError, ERRORS } from "@/lib/errors";
import { Reply } from "@/lib/http/reply";
import { requireCallbackUrl } from "@/lib/outbound/callback-url";
import type { CallInput } from "@/lib/contracts/agents/agent-api";
import { AGENT_OPERATIONS } from "@/lib/contracts/operations/agent-operations";
import { newCallId } from "@/lib/store/log/call-id";
import { publishEnd } from "@/lib/store/calls/call-notices";
import { traceContextOf } from "@/lib/telemetry/trace-context";
import { isOpen, type Answer } from "@/lib/calls/pipeline/answer";
import type { Call } from "@/lib/calls/pipeline/call";
import { execute } from "@/lib/calls/pipeline/execute";
import { production, type Dependencies } from "@/lib/calls/pipeline/dependencies";

/** POST /api/agents/tools/call with injected effects of the pipeline (docs/reference/http.md#agent-api). */
export function callToolWith(deps: () => Dependencies) {
  const authenticate = agent();
  // Only the credential: the body is already consumed.
  const reauthenticateWith =
    ({ url, headers }: Request) =>
    () =>
      authenticate(new Request(url, { headers }));
  return agentRoute(
    AGENT_OPERATIONS.call_tool,
    async ({ caller, body, request, requestId }) => {
      const reauthenticate = reauthenticateWith(request);
      const call = await toCall({ caller, reauthenticate, body, request, requestId }, deps);
      // With a search listing, `call_tool` names the call to make.
      const run: Run =
        body.listing === "search" ? (received, runDeps) => callListed(received, runDeps, execute) : execute;
      const make = (made: Call) => callRequestAccess(made, deps(), run);
      if (body.stream || (request.headers.get("accept") ?? "").includes("text/event-stream"))
        return streamAnswer(call, make);
      return toReply(await make(call));
    },
    {
      bodyRefused: (refused) =>
        logRefusedBody({ ...refused, reauthenticate: reauthenticateWith(refused.request) }, deps()),
    },
  );
}

/** The call of a request. @throws AppError `invalid_request`, after logging the refused call */
async function toCall(
  parsed: Omit<RefusedBody, "body" | "error"> & { readonly body: CallInput },
  deps: () => Dependencies,
): Promise<Call> {
  const { caller, reauthenticate, body, request, requestId } = parsed;
  try {
    requireOneWay(body);
    requireNoConflict(body, body.session_id);
    return {
      callId: newCallId(),
      requestId,
      door: "rest",
      caller,
      reauthenticate,
      toolId: body.tool_id ?? null,
      name: body.name ?? null,
      arguments: body.arguments,
      sessionId: body.session_id ?? null,
      stated: body,
      at: Date.now(),
      idempotencyKey: requireValidKey(request.headers),
      mode: body.mode === "async" ? "later" : "now",
      listener: null,
      trace: traceContextOf(request.headers),
      ...(body.callback_url !== undefined && {
        callbackUrl: requireCallbackUrl(body.callback_url, "callback_url", caller.agent?.callbackOrigins ?? []),
      }),
    };
  } catch (error) {
    if (error instanceof AppError) await logRefusedBody({ ...parsed, error }, deps());
    throw error;
  }
}

/** POST /api/agents/tools/call. */
export const callTool = callToolWith(production);

/** An answer with the HTTP status of its code; 202 and the address of the result before the call has ended. */
export function toReply(answer: Answer): Reply {
  const { code, output, headers = {} } = answer;
  const status = code === null ? (isOpen(answer) ? 202 : 200) : ERRORS[code].status;
  return Reply.json(withNextStep(output), status, {
    ...(status === 202 && { location: `/api/agents/calls/${output.call_id}` }),
    ...(status === 503 && { "retry-after": "1" }),
    ...(code === "insufficient_scope" && { "www-authenticate": scopeChallenge(scopesToAskFor(output)) }),
    ...headers,
  });
}

/** Says what happens next when a call waits for a person: a caller that does not read headers would not know. */
function withNextStep(output: Answer["output"]): Answer["output"] {
  if (output.status !== "awaiting_approval") return output;
  const result = `GET /api/agents/calls/${output.call_id}`;
  return { ...output, message: `A person must approve this call. It then runs once: read the result with ${result}.` };
}

/** The scopes that the token has and those that the refused call lacks: a client that asks for these loses none. */
function scopesToAskFor({ error }: Answer["output"]): readonly string[] {
  const { present, missing } = (error?.details ?? {}) as Readonly<Partial<Record<string, readonly string[]>>>;
  return [...(present ?? []), ...(missing ?? [])];
}

/**
 * Streams `progress` and `chunk` while the tool runs, then `result` with the answer. The stream begins when the call is
 * authorized: a refusal before is an ordinary response. A call goes on when its client disconnects, or when its credential
 * ends and the stream with it (`closed`): the call was allowed when it started.
 *
 * @throws AppError `unauthenticated`
 */
function streamAnswer(call: Call, make: (received: Call) => Promise<Answer>): Promise<Response | Reply> {
  const { callId, caller } = call;
  let sink: EventSink | null = null;
  const listener = {
    progress: (fraction: number, message: string) =>
      sink?.sendReplaceable("progress", { call_id: callId, fraction, message }),
    chunk: (data: unknown) => sink?.send("chunk", { call_id: callId, data }),
  };
  let begin = () => {};
  const begun = new Promise<Response>((resolve) => {
    begin = () => resolve(callerStream(caller, stream));
  });
  const answering = make({ ...call, listener, onAuthorized: () => begin() });
  const stream = async (opened: EventSink) => {
    sink = opened;
    opened.send("result", withNextStep((await answering).output));
    // A disconnected client may follow the call by its id.
    if (opened.closed.aborted) await publishEnd(callId);
  };
  // A refusal is an ordinary response. A read of the search listing is never authorized, so its answer begins the stream.
  const replyOrStream = async () => {
    const answer = await answering;
    if (sink === null && answer.code !== null) return toReply(answer);
    if (sink === null) begin();
    return begun;
  };
  return Promise.race([begun, replyOrStream()]);
}

/** The idempotency key; `null` = none. @throws AppError `invalid_request` */
function requireValidKey(headers: Headers): string | null {
  const key = headers.get("idempotency-key");
  if (key === null) return null;
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new AppError("invalid_request", "The idempotency key cannot be used.", {
    errors: [{ path: "Idempotency-Key", message: "must be 1 to 255 visible ASCII characters, such as a UUID" }],
  });
}

/** Requires one way to answer: at once, streamed, or later. */
function requireOneWay(body: CallInput): void {
  if (body.mode === "sync" && body.callback_url !== undefined)
    throw new AppError("invalid_request", "A synchronous call has no callback.", {
      errors: [{ path: "callback_url", message: "set `mode: async` too, or omit it" }],
    });
  if (body.mode === "async" && body.stream)
    throw new AppError("invalid_request", "A call cannot be both streamed and async.", {
      errors: [{ path: "stream", message: "follow a call of mode `async` at /api/agents/calls/{call_id}/events" }],
    });
}
