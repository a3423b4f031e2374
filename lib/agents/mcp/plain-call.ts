import { SERVER_INFO_META_KEY, type RequestId } from "@modelcontextprotocol/server";
import { z } from "zod";
import { CALL_META } from "@/lib/agents/mcp/content";
import { metadataPointer } from "@/lib/agents/mcp/metadata";
import { callTool, callToolOrTask, type ToolCall } from "@/lib/agents/mcp/call-tool";
import { id, isPlainInSession, plainMeta, takesBoth, VERSION } from "@/lib/agents/mcp/plain-list";
import { toProtocolError } from "@/lib/agents/mcp/protocol-error";
import type { McpRequest } from "@/lib/agents/mcp/request";
import { SERVER_INFO } from "@/lib/agents/mcp/server";
import { takesTasks } from "@/lib/agents/mcp/task";
import { eventStream } from "@/lib/http/event-stream";
import { Reply } from "@/lib/http/reply";

/** Milliseconds in which an answer is one JSON body; what takes longer begins a stream, so that the client's headers come. */
const SOON_MS = 250;

/** The arguments are bounded and checked by the pipeline, as they came. */
const tool = { name: z.string(), arguments: z.looseObject({}).optional() };
const message = { jsonrpc: z.literal("2.0"), id, method: z.literal("tools/call") };
const stateless = z.strictObject({ ...message, params: z.strictObject({ ...tool, _meta: plainMeta }) });
const inSession = z.strictObject({ ...message, params: z.strictObject(tool) });

/** A plain `tools/call`: nobody hears how it goes, and it was not asked before. */
export interface PlainCall {
  readonly id: RequestId;
  readonly name: string;
}

/** The call of a session's request, as clients send it with nothing besides; `null` for all else, which is the library's. */
export function plainCallInSession(request: McpRequest): PlainCall | null {
  const asked = isPlainInSession(request, "tools/call") ? inSession.safeParse(request.body) : null;
  return asked?.success === true ? { id: asked.data.id, name: asked.data.params.name } : null;
}

/** The answer to a plain `tools/call` of 2026-07-28; `null` for all else. Leaving gives it up. */
export function answerPlainCallStateless(request: McpRequest): Promise<Reply | Response> | null {
  const { headers, signal } = request.http;
  if (headers.get("mcp-protocol-version") !== VERSION || headers.get("mcp-method") !== "tools/call") return null;
  const asked = takesBoth(headers) ? stateless.safeParse(request.body) : null;
  if (asked?.success !== true || headers.get("mcp-name") !== asked.data.params.name) return null;
  const call = { id: asked.data.id, name: asked.data.params.name, signal, rounds: true, ended: () => {} };
  return answerPlainCall(request, call);
}

/**
 * Answers a plain call without the library, which takes one apart and puts its answer together in more time than the
 * pipeline has for it. `ended` hears when the call has an answer.
 */
export async function answerPlainCall(
  request: McpRequest,
  { ended, ...asked }: PlainCall & Pick<ToolCall, "signal" | "rounds"> & { readonly ended: () => void },
): Promise<Reply | Response> {
  const answering = answerOf({ ...asked, request, state: undefined, listener: null }).finally(ended);
  const soon = await within(answering, SOON_MS);
  if (soon === null)
    return eventStream(async ({ sendMade }) => sendMade("message", [(await answering).text]), "comment");
  const json = { "content-type": "application/json" };
  if (soon.scopes === null) return new Reply(soon.text, 200, json);
  return new Reply(soon.text, 403, { ...json, "www-authenticate": await scopeChallenge(soon.scopes) });
}

interface PlainAnswer {
  /** Of JSON-RPC. */
  readonly text: string;
  /** The scopes that the call needs, where the caller's token has too few; `null` = it is not refused for that. */
  readonly scopes: readonly string[] | null;
}

/** The answer; never fails. */
async function answerOf(call: ToolCall): Promise<PlainAnswer> {
  const begin = { jsonrpc: "2.0", id: call.id };
  try {
    // The library knows no other answer to a call than a tool's result, and tasks are of its era without sessions.
    const asTask = call.rounds && takesTasks(call.request.body);
    const result = await (asTask ? callToolOrTask(call) : callTool(call));
    const text = JSON.stringify({ ...begin, result: call.rounds ? toStateless(result) : result });
    return { text, scopes: scopesOf(result) };
  } catch (error) {
    const { code, message: text, data } = toProtocolError(error, call.request.requestId);
    return { text: JSON.stringify({ ...begin, error: { code, message: text, data } }), scopes: null };
  }
}

const refusedForScope = z.object({
  [CALL_META]: z.object({
    error: z.object({ code: z.literal("insufficient_scope"), details: z.object({ required: z.array(z.string()) }) }),
  }),
});

function scopesOf({ _meta }: { readonly _meta?: unknown }): readonly string[] | null {
  return refusedForScope.safeParse(_meta).data?.[CALL_META].error.details.required ?? null;
}

/** MCP 2025-11-25, Authorization, Scope Challenge Handling: what a token must carry for the call to be made again. */
async function scopeChallenge(scopes: readonly string[]): Promise<string> {
  // RFC 6749, 3.3: a scope that cannot stand in a header is left out.
  const told = scopes.filter((scope) => /^[!#-[\]-~]+$/.test(scope)).join(" ");
  return `Bearer realm="quartermaster", error="insufficient_scope", scope="${told}"${await metadataPointer()}`;
}

/** A result as 2026-07-28 has it: it says of what kind it is, and who answers. */
function toStateless(result: Awaited<ReturnType<typeof callToolOrTask>>): object {
  const { _meta, ...rest } = result;
  return { resultType: "complete", ...rest, _meta: { ..._meta, [SERVER_INFO_META_KEY]: SERVER_INFO } };
}

function within<T>(work: Promise<T>, milliseconds: number): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(null), milliseconds);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
