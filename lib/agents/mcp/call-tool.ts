import {
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type InputRequiredResult,
  type RequestId,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { follow, hearer } from "@/lib/agents/streams/follow";
import { mintApprovalState, type ApprovalState } from "@/lib/agents/mcp/approval-state";
import { toCallResult, toMeta, toOpenResult } from "@/lib/agents/mcp/content";
import { progressOf, toHearer } from "@/lib/agents/mcp/progress";
import { toProtocolError } from "@/lib/agents/mcp/protocol-error";
import type { McpRequest } from "@/lib/agents/mcp/request";
import { toNewTask, type NewTask } from "@/lib/agents/mcp/task";
import { callListed } from "@/lib/agents/rest/search-listing";
import { shownTo, readCallStatus } from "@/lib/agents/rest/call-status";
import { watchCredential } from "@/lib/auth/agents/watch-credential";
import { AppError, type ErrorCode } from "@/lib/errors";
import type { OutputRoot } from "@/lib/manifest/mcp";
import { newCallId } from "@/lib/store/log/call-id";
import { cancelKept } from "@/lib/store/calls/kept-calls";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";
import type { ToolRow } from "@/lib/resources/tool";
import { readTraceContext, traceContextOf, type TraceContext } from "@/lib/telemetry/trace-context";
import type { SpanAttributes } from "@/lib/telemetry/traces";
import { givenUp, isOpen, type Answer } from "@/lib/calls/pipeline/answer";
import type { Call, CallListener } from "@/lib/calls/pipeline/call";
import { executeAnswered } from "@/lib/calls/pipeline/execute";
import { bodyDigest } from "@/lib/calls/pipeline/idempotency";
import { toKeptText } from "@/lib/calls/record/recorded";
import { cancelHere, running } from "@/lib/calls/queue/running";

/** Milliseconds that a client which comes back for an approval is kept waiting: proxies cut a silent request off at 60 s. */
const ROUND_MS = 45_000;

/** Refusals of the request, or of a tool as if it did not exist: errors of the protocol, not results. */
const OF_THE_PROTOCOL: ReadonlySet<ErrorCode> = new Set([
  "tool_not_available",
  "ambiguous_name",
  "invalid_request",
  "session_not_found",
]);

/** One `tools/call`, as an era of the protocol hands it over. */
export interface ToolCall {
  readonly request: McpRequest;
  /** Of its JSON-RPC message. */
  readonly id: RequestId;
  readonly name: string;
  /** What the client brings back of an answer that told it to come again (2026-07-28). */
  readonly state: ApprovalState | undefined;
  /** Hears how it goes; `null` when the client did not ask. */
  readonly listener: CallListener | null;
  /** Aborted when the client gives the request up. */
  readonly signal: AbortSignal;
  /** Whether the client can be told to come back (2026-07-28). */
  readonly rounds: boolean;
}

/** What of a call the library has read. */
export function ofContext(context: ServerContext): Pick<ToolCall, "id" | "state" | "listener"> {
  const { id, requestState } = context.mcpReq;
  return { id, state: requestState<ApprovalState>(), listener: progressOf(context) };
}

/**
 * Calls a tool through the pipeline (docs/reference/execution.md). Bad arguments, refusals and failures are results; a tool that is not
 * in the caller's list is unknown.
 *
 * @throws ProtocolError
 */
export function callTool(toolCall: ToolCall): Promise<CallToolResult | InputRequiredResult> {
  return spoken(toolCall, async (call) => {
    const { state } = toolCall;
    const answer =
      state === undefined ? await settled(call, toolCall) : await awaited(requireSame(state, call), toolCall);
    return toResult(call, answer, toolCall);
  });
}

/** The same for a client that takes tasks: a call that is answered later is one, and is not waited for. @throws ProtocolError */
export function callToolOrTask(toolCall: ToolCall): Promise<CallToolResult | InputRequiredResult | NewTask> {
  return spoken(toolCall, async (call) => {
    const answer = await made(call, toolCall);
    return answer.output.status === "pending" ? toNewTask(answer.output) : toResult(call, answer, toolCall);
  });
}

/** Why a call that has ended has no result, but is an error of the protocol; `null` = it has one. */
export function refusalOf({ code, output }: Answer): AppError | null {
  if (code === null || !OF_THE_PROTOCOL.has(code)) return null;
  return new AppError(code, output.error?.message ?? "The call was refused.");
}

/** The result of a call that has ended. @throws AppError for what is an error of the protocol */
export async function resultOf(answer: Answer, root: OutputRoot): Promise<CallToolResult> {
  const refusal = refusalOf(answer);
  if (refusal !== null) throw refusal;
  return toCallResult(answer, await toolOf(answer.output.tool_id), root);
}

async function toResult(call: Call, answer: Answer, toolCall: ToolCall): Promise<CallToolResult | InputRequiredResult> {
  if (!isOpen(answer)) return resultOf(answer, toolCall.rounds ? "any" : "object");
  return toolCall.rounds
    ? toNextRound(call, answer, toolCall)
    : toOpenResult(answer, await toolOf(answer.output.tool_id));
}

async function spoken<T>(toolCall: ToolCall, answer: (call: Call) => Promise<T>): Promise<T> {
  try {
    return await answer(toCall(toolCall));
  } catch (error) {
    throw toProtocolError(error, toolCall.request.requestId);
  }
}

function toCall({ request, id, name, listener }: ToolCall): Call {
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
    trace: traceOf(request, id),
    exchange: exchangeOf(request, id),
  };
}

/** The trace is the message's own: one HTTP request, and a proxy's, may carry several (OpenTelemetry, MCP). */
function traceOf({ body, http }: McpRequest, id: string | number): TraceContext | null {
  const { traceparent, tracestate } = paramsOf(body, id)?._meta ?? {};
  return readTraceContext(traceparent, tracestate) ?? traceContextOf(http.headers);
}

/** OpenTelemetry, Semantic conventions for MCP. */
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

/** As received: a schema of the library would drop `__proto__` instead of letting it be refused. */
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

/** Makes the call; whoever gives it up while it is accepted, to run later or for a person to approve, will not ask for it again. */
async function made(call: Call, { request, signal }: ToolCall): Promise<Answer> {
  // From now on it hears that it is given up, while it is decided too.
  const stop = running(call.callId);
  const giveUp = () => cancelHere(call.callId);
  signal.addEventListener("abort", giveUp, { once: true });
  if (signal.aborted) giveUp();
  try {
    const answer = await (request.listing === "search"
      ? callListed(call, request.deps(), executeAnswered)
      : executeAnswered(call, request.deps()));
    return signal.aborted && isOpen(answer) ? await giveUpAccepted(answer, request) : answer;
  } finally {
    stop();
    signal.removeEventListener("abort", giveUp);
  }
}

/** Makes the call; one that is answered later is waited for, unless it waits for a person. */
async function settled(call: Call, toolCall: ToolCall): Promise<Answer> {
  const { request, signal } = toolCall;
  const answer = await made(call, toolCall);
  if (answer.output.status !== "pending") return answer;
  const { callId, listener } = call;
  const { caller } = request;
  const { hear, all } = await hearer(callId, caller, toHearer(listener));
  const ended = await whileGood(request, [signal], (left) => follow(callId, caller.principal, left, hear));
  await all();
  return ended === null ? giveUpAccepted(answer, request) : (await shownTo(caller, ended)).answer;
}

/** Ends a call that was accepted; one that runs meanwhile is told to stop. */
async function giveUpAccepted(answer: Answer, { caller: { principal } }: McpRequest): Promise<Answer> {
  const before = givenUp(answer);
  await cancelKept(answer.output.call_id, principal, { ended: before, answer: toKeptText(before) });
  return before;
}

/** The answer of a call that waited for a person, or how it stands after a while. Leaving does not give it up. */
async function awaited(callId: string, { request, listener, signal }: ToolCall): Promise<Answer> {
  const { caller } = request;
  const { principal } = caller;
  const { hear, all } = await hearer(callId, caller, toHearer(listener));
  const ended = await whileGood(request, [signal, AbortSignal.timeout(ROUND_MS)], (left) =>
    follow(callId, principal, left, hear),
  );
  await all();
  return (await shownTo(caller, ended ?? (await readCallStatus(callId, principal)))).answer;
}

/** @throws AppError `unauthenticated` when the caller's credential ends meanwhile */
async function whileGood<T>(
  { caller }: McpRequest,
  signals: readonly AbortSignal[],
  work: (left: AbortSignal) => Promise<T>,
): Promise<T> {
  const credential = new AbortController();
  const stop = watchCredential(caller, (why) => credential.abort(why));
  try {
    const done = await work(AbortSignal.any([...signals, credential.signal]));
    credential.signal.throwIfAborted();
    return done;
  } finally {
    stop();
  }
}

function requireSame({ callId, asked }: ApprovalState, call: Call): string {
  if (asked === bodyDigest(call)) return callId;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, "The `requestState` belongs to another request.");
}

async function toNextRound(call: Call, answer: Answer, { request }: ToolCall): Promise<InputRequiredResult> {
  const state = { callId: answer.output.call_id, asked: bodyDigest(call) } satisfies ApprovalState;
  const requestState = await mintApprovalState(request.caller.principal, state);
  return { ...inputRequired({ requestState }), _meta: toMeta(answer.output) };
}

/** What says how an output is written; whether the caller may have it was decided before. */
async function toolOf(toolId: string | null): Promise<ToolRow | null> {
  const { tools } = await currentSnapshot();
  return toolId === null ? null : (tools.get(toolId) ?? null);
}
