import { randomUUID } from "node:crypto";
import {
  isInitializeRequest,
  isSpecType,
  WebStandardStreamableHTTPServerTransport,
  type RequestId,
  type ServerContext,
  type Server,
} from "@modelcontextprotocol/server";
import { singleton } from "@/lib/process/singleton";
import { scopeRefusal } from "@/lib/agents/mcp/call-answer";
import { callTool, readContext } from "@/lib/agents/mcp/call-tool";
import { openMcpStream } from "@/lib/agents/mcp/open-mcp-stream";
import { answerPlainCall, plainCallInSession, type PlainCall } from "@/lib/agents/mcp/plain-call";
import { answerPlainListInSession, plainListInSession } from "@/lib/agents/mcp/plain-list";
import { transportError } from "@/lib/agents/mcp/protocol-error";
import { instructionsFor } from "@/lib/agents/mcp/instructions";
import type { McpRequest } from "@/lib/agents/mcp/request";
import { mcpServer, type CallHandler } from "@/lib/agents/mcp/server";
import { watchList } from "@/lib/agents/streams/watch-list";
import type { Reply } from "@/lib/http/reply";
import {
  endMcpSession,
  cancelMcpRequest,
  onMcpRequestCancelled,
  onMcpSessionEnded,
  openMcpSession,
  useMcpSession,
  type CancelledRequest,
} from "@/lib/store/calls/mcp-sessions";

const SESSION = "mcp-session-id";
/** Interval at which an open stream prolongs its session, in milliseconds. */
const ALIVE_MS = 600_000;
/** Longest id of a request that can be cancelled, in characters. The id travels in a Postgres notice. */
const MAX_ID = 256;

/**
 * Serves the protocol up to 2025-11-25, where `initialize` opens a session. The session is a row bound to its principal:
 * every instance serves it, and it survives restarts. Memory holds only, for a second, that the session exists. Each
 * request uses the library's stateless transport.
 */
export async function answerInSession(request: McpRequest): Promise<Response> {
  const { http, body, caller } = request;
  const session = http.headers.get(SESSION);
  const isOpening = http.method === "POST" && messagesOf(body).some((message) => isInitializeRequest(message));
  if (isOpening) return openSession(request);
  if (session === null) return transportError(400, -32_000, `Bad Request: the header ${SESSION} is required.`);
  if (!(await useMcpSession(session, caller.principal, new Date())))
    return transportError(
      404,
      -32_001,
      "Session not found: it ended, it was idle too long, or it belongs to another caller.",
    );
  if (repeatsId(body)) return transportError(400, -32_600, "Invalid Request: two messages of a batch have one id.");
  if (http.method === "POST") return post(request, session);
  // HEAD arrives here too: it must not end anything (RFC 9110, 9.2.1).
  if (http.method !== "DELETE") return streamChanges(request, session);
  await endMcpSession(session, caller.principal);
  return new Response(null, { status: 204 });
}

/**
 * Answers a plain `tools/list` or `tools/call` in the caller's own session; `null` for any other request. Runs before the
 * library classifies the request, which takes longer than the decision.
 */
export async function answerPlainInSession(request: McpRequest): Promise<Reply | Response | null> {
  const session = request.http.headers.get(SESSION);
  if (session === null || request.http.method !== "POST") return null;
  const [list, call] = [plainListInSession(request), plainCallInSession(request)];
  if (list === null && call === null) return null;
  if (!(await useMcpSession(session, request.caller.principal, new Date()))) return null;
  if (list !== null) return answerPlainListInSession(request, list);
  return call === null ? null : plainCall(request, session, call);
}

function plainCall(request: McpRequest, session: string, call: PlainCall): Promise<Reply | Response> {
  const { signal, stop } = cancelledSignal(session, call.id);
  return answerPlainCall(request, { ...call, signal, supportsRounds: false, onEnded: stop });
}

function messagesOf(body: unknown): readonly unknown[] {
  return Array.isArray(body) ? body : [body];
}

/** Whether two requests of a batch (2025-03-26) have the same id, which makes their arguments and answers ambiguous. */
function repeatsId(body: unknown): boolean {
  const ids = messagesOf(body).flatMap((message) => (isSpecType.JSONRPCRequest(message) ? message.id : []));
  return new Set(ids).size < ids.length;
}

async function openSession(request: McpRequest): Promise<Response> {
  const id = randomUUID();
  const response = await post(request, id);
  if (!response.ok) return response;
  await openMcpSession(id, request.caller.principal, new Date());
  response.headers.set(SESSION, id);
  return response;
}

async function post(request: McpRequest, session: string): Promise<Response> {
  const { refusal, onAuthorized, onResult } = scopeRefusal(false);
  const call = async (name: string, context: ServerContext) => {
    const { signal, stop } = cancelledSignal(session, context.mcpReq.id);
    try {
      const called = { request, ...readContext(context), name, onAuthorized, signal, supportsRounds: false };
      return onResult(called.id, await callTool(called));
    } finally {
      stop();
    }
  };
  // The calls of a batch run one after the other.
  let last: Promise<unknown> = Promise.resolve();
  const onCall: CallHandler = ({ name }, context) => {
    const mine = last.then(() => call(name, context));
    last = mine.catch(() => {});
    return mine;
  };
  const server = mcpServer(request, { outputRoot: "object", onCall }, await instructionsFor(request));
  // The cancelled request came in another HTTP request, perhaps to another instance.
  server.setNotificationHandler("notifications/cancelled", async ({ params: { requestId } }) => {
    if (requestId !== undefined && String(requestId).length <= MAX_ID)
      await cancelMcpRequest({ session, id: requestId });
  });
  // One HTTP status cannot refuse a single call of a batch.
  return openMcpStream(respond(server, request), () => {}, Array.isArray(request.body) ? undefined : refusal);
}

/** Only calls may take long and report progress. Every other request gets one JSON body. */
async function respond(server: Server, { http, body }: McpRequest): Promise<Response> {
  const enableJsonResponse = !messagesOf(body).some((message) => isSpecType.CallToolRequest(message));
  const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse });
  await server.connect(transport);
  return transport.handleRequest(http, { ...(body !== undefined && { parsedBody: body }) });
}

/** The version with sessions whose clients accept an event with empty data. */
const EMPTY_EVENTS_VERSION = "2025-11-25";

/**
 * GET: a stream that reports changes of the caller's list. The id of each event is the list's etag, so that a client
 * which reconnects gets a change that it missed.
 */
async function streamChanges(request: McpRequest, session: string): Promise<Response> {
  const { caller, stated, sessionId, requestId, http } = request;
  const server = mcpServer(request, {
    outputRoot: "object",
    onCall: () => Promise.reject(new Error("nothing is called by GET")),
  });
  let etag = "";
  const announce = () => server.sendToolListChanged().catch(() => {});
  const { context, stop } = await watchList({
    caller,
    stated,
    sessionId,
    requestId,
    changed: ({ resolution }) => {
      ({ etag } = resolution);
      void announce();
    },
    ended: () => void server.close(),
  });
  ({ etag } = context.resolution);
  const stopListening = onMcpSessionEnded((id) => void (id === session && server.close()));
  const keepAlive = setInterval(() => {
    void useMcpSession(session, caller.principal, new Date())
      .catch(() => false)
      .then((isAlive) => (isAlive ? undefined : server.close()));
  }, ALIVE_MS).unref();
  const stream = async () => {
    const opened = withEventIds(await respond(server, request), http.headers, () => etag);
    if (etag !== (http.headers.get("last-event-id") ?? context.resolution.etag)) await announce();
    return opened;
  };
  return openMcpStream(stream(), () => {
    clearInterval(keepAlive);
    stopListening();
    stop();
  });
}

/** Adds an event with the etag of the list that the client knows: at the beginning and after each message. */
function withEventIds(stream: Response, headers: Headers, etag: () => string): Response {
  const { body, status } = stream;
  if (!stream.ok || body === null || headers.get("mcp-protocol-version") !== EMPTY_EVENTS_VERSION) return stream;
  const eventId = (known: string) => new TextEncoder().encode(`id: ${known}\ndata:\n\n`);
  const transform = new TransformStream<Uint8Array, Uint8Array>({
    start: (controller) => controller.enqueue(eventId(headers.get("last-event-id") ?? etag())),
    transform: (chunk, controller) => {
      controller.enqueue(chunk);
      controller.enqueue(eventId(etag()));
    },
  });
  return new Response(body.pipeThrough(transform), { status, headers: stream.headers });
}

/** The running requests of this process. */
const inFlight = singleton("McpRequests", () => {
  const controllers = new Map<string, AbortController>();
  onMcpRequestCancelled((request) => controllers.get(keyOf(request))?.abort());
  return controllers;
});

/** A signal that aborts when the client cancels this request. Ids are unique in a session (JSON-RPC: `1` is not `"1"`). */
function cancelledSignal(session: string, id: RequestId): { readonly signal: AbortSignal; readonly stop: () => void } {
  const key = keyOf({ session, id });
  const controller = new AbortController();
  inFlight().set(key, controller);
  return { signal: controller.signal, stop: () => void inFlight().delete(key) };
}

function keyOf({ session, id }: CancelledRequest): string {
  return JSON.stringify([session, id]);
}
