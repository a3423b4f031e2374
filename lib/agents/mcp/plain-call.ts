import type { RequestId } from "@modelcontextprotocol/server";
import { z } from "zod";
import { withTimeout } from "@/lib/process/timeout";
import { toCallAnswer, toCallReply, type CallAnswer } from "@/lib/agents/mcp/call-answer";
import { callTool, callToolOrTask, type ToolCall } from "@/lib/agents/mcp/call-tool";
import {
  acceptsJsonAndStream,
  isPlainInSession,
  messageId,
  plainMeta,
  STATELESS_VERSION,
} from "@/lib/agents/mcp/plain-list";
import { toProtocolError } from "@/lib/agents/mcp/protocol-error";
import type { McpRequest } from "@/lib/agents/mcp/request";
import { supportsTasks } from "@/lib/agents/mcp/task";
import { eventStream } from "@/lib/http/event-stream";
import type { Reply } from "@/lib/http/reply";

/**
 * Milliseconds after which an authorized call that still runs begins a stream, so that the client gets its headers. Before,
 * the answer is one JSON body: a refusal because of scopes must be a 403, also while the store is slow.
 */
const STREAM_AFTER_MS = 250;

/** The pipeline limits and checks the raw arguments itself. */
const tool = { name: z.string(), arguments: z.looseObject({}).optional() };
const message = { jsonrpc: z.literal("2.0"), id: messageId, method: z.literal("tools/call") };
const stateless = z.strictObject({ ...message, params: z.strictObject({ ...tool, _meta: plainMeta }) });
const inSession = z.strictObject({ ...message, params: z.strictObject(tool) });

/** A plain `tools/call`, which does not need the MCP library: it is not repeated, and reports no progress. */
export interface PlainCall {
  readonly id: RequestId;
  readonly name: string;
}

/** Parses a plain call in a session; `null` for any other message, which the MCP library handles. */
export function plainCallInSession(request: McpRequest): PlainCall | null {
  const parsed = isPlainInSession(request, "tools/call") ? inSession.safeParse(request.body) : null;
  return parsed?.success === true ? { id: parsed.data.id, name: parsed.data.params.name } : null;
}

/** Answers a plain `tools/call` of 2026-07-28; `null` for any other message. A disconnect cancels the call. */
export function answerPlainCallStateless(request: McpRequest): Promise<Reply | Response> | null {
  const { headers, signal } = request.http;
  if (headers.get("mcp-protocol-version") !== STATELESS_VERSION || headers.get("mcp-method") !== "tools/call")
    return null;
  const parsed = acceptsJsonAndStream(headers) ? stateless.safeParse(request.body) : null;
  if (parsed?.success !== true || headers.get("mcp-name") !== parsed.data.params.name) return null;
  // Only the MCP library reports progress. It cannot return tasks, so a client that supports them gets no progress.
  if ("progressToken" in parsed.data.params._meta && !supportsTasks(request.body)) return null;
  const call = { id: parsed.data.id, name: parsed.data.params.name, signal, supportsRounds: true, onEnded: () => {} };
  return answerPlainCall(request, call);
}

/**
 * Answers a plain call without the MCP library, whose parsing and serialising take longer than the pipeline. Calls
 * `onEnded` when the call has an answer.
 */
export async function answerPlainCall(
  request: McpRequest,
  { onEnded, ...parsed }: PlainCall & Pick<ToolCall, "signal" | "supportsRounds"> & { readonly onEnded: () => void },
): Promise<Reply | Response> {
  let onAuthorized = () => {};
  const authorized = new Promise<void>((resolve) => (onAuthorized = resolve));
  const call = { ...parsed, request, state: undefined, link: null, listener: null, onAuthorized };
  const answering = answerOf(call).finally(onEnded);
  const timedOut = authorized.then(() => withTimeout(answering, STREAM_AFTER_MS, null));
  const answer = await Promise.race([answering, timedOut]);
  if (answer === null)
    return eventStream(async ({ sendSerialized }) => sendSerialized("message", [(await answering).text]), "comment");
  return toCallReply(answer);
}

/** The answer. Never rejects. */
async function answerOf(call: ToolCall): Promise<CallAnswer> {
  try {
    // Tasks exist only in the version without sessions, where calls also support rounds.
    const asTask = call.supportsRounds && supportsTasks(call.request.body);
    return toCallAnswer(call.id, await (asTask ? callToolOrTask(call) : callTool(call)), call.supportsRounds);
  } catch (error) {
    const { code, message: text, data } = toProtocolError(error, call.request.requestId);
    return {
      text: JSON.stringify({ jsonrpc: "2.0", id: call.id, error: { code, message: text, data } }),
      scopes: null,
    };
  }
}
