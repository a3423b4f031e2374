import {
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type InputRequiredResult,
  type RequestId,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { follow, createEventForwarder } from "@/lib/agents/streams/follow";
import { awaitLink, linkResponseOf, toLinkRequest, type LinkResponse } from "@/lib/agents/mcp/link-request";
import { mintApprovalState, type ApprovalState } from "@/lib/agents/mcp/approval-state";
import { toCallResult, toMeta, toWaitingResult } from "@/lib/agents/mcp/content";
import { progressOf, toEventForwarder } from "@/lib/agents/mcp/progress";
import { toProtocolError } from "@/lib/agents/mcp/protocol-error";
import type { McpRequest } from "@/lib/agents/mcp/request";
import { toNewTask, type NewTask } from "@/lib/agents/mcp/task";
import { callRequestAccess } from "@/lib/agents/rest/call-request-access";
import { callListed, type Run } from "@/lib/agents/rest/search-listing";
import { cancelAcceptedCall, readCallStatus, shownToFollower } from "@/lib/agents/rest/call-status";
import { whileCredentialValid } from "@/lib/auth/agents/watch-credential";
import { AppError, type ErrorCode } from "@/lib/errors";
import type { OutputRoot } from "@/lib/manifest/mcp";
import { newCallId } from "@/lib/store/log/call-id";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";
import type { ToolRow } from "@/lib/resources/tool";
import { readTraceContext, traceContextOf, type TraceContext } from "@/lib/telemetry/trace-context";
import type { SpanAttributes } from "@/lib/telemetry/traces";
import { isOpen, type Answer } from "@/lib/calls/pipeline/answer";
import type { Call, CallListener } from "@/lib/calls/pipeline/call";
import { executeAnswered } from "@/lib/calls/pipeline/execute";
import { bodyDigest } from "@/lib/calls/pipeline/idempotency";
import { cancelHere, registerRunning } from "@/lib/calls/queue/running";

/** How long a repeated call waits for its approval, in milliseconds. Proxies cut off a silent request at 60 s. */
const ROUND_MS = 45_000;

/** Codes that are protocol errors, not results: the request is wrong, or the tool does not exist for the caller. */
const PROTOCOL_ERRORS: ReadonlySet<ErrorCode> = new Set([
  "tool_not_available",
  "ambiguous_name",
  "invalid_request",
  "session_not_found",
]);

/** One `tools/call`, the same for every protocol version. */
export interface ToolCall {
  readonly request: McpRequest;
  /** The id of the JSON-RPC message. */
  readonly id: RequestId;
  readonly name: string;
  /** The request state of a repeated call (2026-07-28). */
  readonly state: ApprovalState | undefined;
  /** What the person did with our request to link an account (2026-07-28). */
  readonly link: LinkResponse;
  /** Called when the call can no longer be refused: from here on its answer may take long. */
  readonly onAuthorized: () => void;
  /** Receives progress; `null` when the client did not request it. */
  readonly listener: CallListener | null;
  /** Aborts when the client cancels the request. */
  readonly signal: AbortSignal;
  /** Whether the client repeats a call when the server asks for it (2026-07-28, Multi Round-Trip Requests). */
  readonly supportsRounds: boolean;
}

/** The parts of a call that the MCP library parses. */
export function readContext(context: ServerContext): Pick<ToolCall, "id" | "state" | "link" | "listener"> {
  const { id, requestState } = context.mcpReq;
  const state = requestState<ApprovalState>();
  return { id, state, link: linkResponseOf(context), listener: progressOf(context) };
}

/**
 * Calls a tool through the pipeline (docs/reference/execution.md). Bad arguments, refusals and failures are results; a
 * tool outside the caller's list is a protocol error.
 *
 * @throws ProtocolError
 */
export function callTool(toolCall: ToolCall): Promise<CallToolResult | InputRequiredResult> {
  // A repeated call was authorized before, and may wait long for its approval.
  if (toolCall.state !== undefined) toolCall.onAuthorized();
  return withProtocolErrors(toolCall, async (call) => {
    const { state } = toolCall;
    const answer =
      state === undefined
        ? await settleLinked(call, toolCall)
        : await awaitApproval(requireSame(state, call), toolCall);
    return toResult(call, answer, toolCall);
  });
}

/** Like `callTool`, for a client that supports tasks: an async call returns a task at once. @throws ProtocolError */
export function callToolOrTask(toolCall: ToolCall): Promise<CallToolResult | InputRequiredResult | NewTask> {
  return withProtocolErrors(toolCall, async (call) => {
    const answer = await makeCall(call, toolCall);
    return answer.output.status === "pending" ? toNewTask(answer.output) : toResult(call, answer, toolCall);
  });
}

async function withProtocolErrors<T>(toolCall: ToolCall, answer: (call: Call) => Promise<T>): Promise<T> {
  try {
    return await answer(toCall(toolCall));
  } catch (error) {
    throw toProtocolError(error, toolCall.request.requestId);
  }
}

/** Makes the call. If the person agreed to link an account, waits for the account and makes the call again. */
async function settleLinked(call: Call, toolCall: ToolCall): Promise<Answer> {
  const answer = await settle(call, toolCall);
  const { link, request, signal, onAuthorized } = toolCall;
  // The wait for the person may take long.
  if (link === "accept") onAuthorized();
  const isLinked = link === "accept" && (await awaitLink(answer, request.caller, ROUND_MS, signal));
  return isLinked ? settle({ ...call, callId: newCallId(), at: Date.now() }, toolCall) : answer;
}

/** Makes the call, and follows an async one to its end. A call that waits for an approval returns at once. */
async function settle(call: Call, toolCall: ToolCall): Promise<Answer> {
  const { request, signal } = toolCall;
  const answer = await makeCall(call, toolCall);
  if (answer.output.status !== "pending") return answer;
  const { callId, listener } = call;
  const { caller } = request;
  const { forward, drained } = createEventForwarder(callId, caller, toEventForwarder(listener));
  const ended = await whileCredentialValid(caller, [signal], (stopped) =>
    follow(callId, caller.principal, stopped, forward),
  );
  await drained();
  return ended === null ? cancelAcceptedCall(answer, caller.principal) : (await shownToFollower(caller, ended)).answer;
}

/** Makes the call. If the client cancels while the call is queued or waits for an approval, the call is cancelled too. */
async function makeCall(call: Call, { request, signal }: ToolCall): Promise<Answer> {
  // Registered before the decision, so that a cancellation takes effect during it.
  const stop = registerRunning(call.callId);
  const cancel = () => cancelHere(call.callId);
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    const run: Run =
      request.listing === "search" ? (other, deps) => callListed(other, deps, executeAnswered) : executeAnswered;
    const answer = await callRequestAccess(call, request.deps(), run);
    return signal.aborted && isOpen(answer) ? await cancelAcceptedCall(answer, request.caller.principal) : answer;
  } finally {
    stop();
    signal.removeEventListener("abort", cancel);
  }
}

function requireSame({ callId, bodyDigest: digest }: ApprovalState, call: Call): string {
  if (digest === bodyDigest(call)) return callId;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, "The `requestState` belongs to another request.");
}

/** The answer of a call that waited for an approval, or its state after `ROUND_MS`. A disconnect does not cancel it. */
async function awaitApproval(callId: string, { request, listener, signal }: ToolCall): Promise<Answer> {
  const { caller } = request;
  const { principal } = caller;
  const { forward, drained } = createEventForwarder(callId, caller, toEventForwarder(listener));
  const ended = await whileCredentialValid(caller, [signal, AbortSignal.timeout(ROUND_MS)], (stopped) =>
    follow(callId, principal, stopped, forward),
  );
  await drained();
  return (await shownToFollower(caller, ended ?? (await readCallStatus(callId, principal)))).answer;
}

async function toResult(call: Call, answer: Answer, toolCall: ToolCall): Promise<CallToolResult | InputRequiredResult> {
  if (!isOpen(answer)) {
    const request =
      toolCall.supportsRounds && toolCall.link === null ? toLinkRequest(answer, toolCall.request.body) : null;
    return request ?? resultOf(answer, toolCall.supportsRounds ? "any" : "object");
  }
  return toolCall.supportsRounds
    ? toNextRound(call, answer, toolCall)
    : toWaitingResult(answer, await toolOf(answer.output.tool_id));
}

/** The result of an ended call. @throws AppError for a protocol error */
export async function resultOf(answer: Answer, root: OutputRoot): Promise<CallToolResult> {
  const refusal = refusalOf(answer);
  if (refusal !== null) throw refusal;
  return toCallResult(answer, await toolOf(answer.output.tool_id), root);
}

/** The protocol error of an ended call that has no result; `null` = it has one. */
export function refusalOf({ code, output }: Answer): AppError | null {
  if (code === null || !PROTOCOL_ERRORS.has(code)) return null;
  return new AppError(code, output.error?.message ?? "The call was refused.");
}

async function toNextRound(call: Call, answer: Answer, { request }: ToolCall): Promise<InputRequiredResult> {
  const state = { callId: answer.output.call_id, bodyDigest: bodyDigest(call) } satisfies ApprovalState;
  const requestState = await mintApprovalState(request.caller.principal, state);
  return { ...inputRequired({ requestState }), _meta: toMeta(answer.output) };
}

/** The tool row, for formatting the output. The pipeline has already decided that the caller may see it. */
async function toolOf(toolId: string | null): Promise<ToolRow | null> {
  const { tools } = await currentSnapshot();
  return toolId === null ? null : (tools.get(toolId) ?? null);
}

function toCall({ request, id, name, listener, onAuthorized }: ToolCall): Call {
  const { caller, reauthenticate, requestId, stated, sessionId, body } = request;
  return {
    callId: newCallId(),
    requestId,
    door: "mcp",
    caller,
    reauthenticate,
    toolId: null,
    name,
    arguments: argumentsOf(body, id),
    sessionId,
    stated,
    at: Date.now(),
    idempotencyKey: null,
    mode: "now",
    listener,
    onAuthorized,
    trace: traceOf(request, id),
    exchange: exchangeOf(request, id),
  };
}

/** Prefers the trace of the message's `_meta`: one HTTP request may carry several messages (OpenTelemetry, MCP). */
function traceOf({ body, http }: McpRequest, id: string | number): TraceContext | null {
  const { traceparent, tracestate } = paramsOf(body, id)?._meta ?? {};
  return readTraceContext(traceparent, tracestate) ?? traceContextOf(http.headers);
}

/** Span attributes by OpenTelemetry's semantic conventions for MCP. */
function exchangeOf({ http: { headers } }: McpRequest, id: string | number): SpanAttributes {
  const session = headers.get("mcp-session-id");
  const version = headers.get("mcp-protocol-version");
  return {
    "mcp.method.name": "tools/call",
    "jsonrpc.request.id": String(id).slice(0, 256),
    ...(session !== null && { "mcp.session.id": session }),
    ...(version !== null && { "mcp.protocol.version": version }),
  };
}

/** The arguments as received. The library's schema would drop `__proto__`, which the pipeline must refuse. */
function argumentsOf(body: unknown, id: string | number): unknown {
  return paramsOf(body, id)?.arguments;
}

interface CallParams {
  readonly arguments?: unknown;
  readonly _meta?: { readonly traceparent?: unknown; readonly tracestate?: unknown };
}

function paramsOf(body: unknown, id: string | number): CallParams | undefined {
  const messages = (Array.isArray(body) ? body : [body]) as readonly { id?: unknown; params?: CallParams }[];
  return messages.find((message) => message?.id === id)?.params;
}
