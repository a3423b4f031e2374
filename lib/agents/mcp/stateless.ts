import { createMcpHandler, type ServerEventBus } from "@modelcontextprotocol/server";
import { scopeRefusal } from "@/lib/agents/mcp/call-answer";
import { callTool, readContext } from "@/lib/agents/mcp/call-tool";
import { openMcpStream } from "@/lib/agents/mcp/open-mcp-stream";
import { instructionsFor } from "@/lib/agents/mcp/instructions";
import type { McpRequest } from "@/lib/agents/mcp/request";
import { mcpServer, type CallHandler } from "@/lib/agents/mcp/server";
import { serveTasks } from "@/lib/agents/mcp/tasks";
import { watchList } from "@/lib/agents/streams/watch-list";
import { log } from "@/lib/telemetry/log";

/**
 * Serves the protocol version 2026-07-28, where every request is independent. Each request has its own handler of the library,
 * so that its stream reports only changes of this caller's list. A disconnect cancels the request.
 */
export async function answerStateless(request: McpRequest): Promise<Response> {
  const { http, body, requestId } = request;
  const instructions = await instructionsFor(request);
  let announceChange = () => {};
  const changes: ServerEventBus = {
    publish: () => {},
    subscribe: (listener) => {
      announceChange = () => listener({ kind: "tools_list_changed" });
      return () => {
        announceChange = () => {};
      };
    },
  };
  const { refusal, onAuthorized, onResult } = scopeRefusal(true);
  const handler = createMcpHandler(
    () => {
      const onCall: CallHandler = async ({ name }, context) => {
        const call = {
          request,
          ...readContext(context),
          name,
          onAuthorized,
          signal: context.mcpReq.signal,
          supportsRounds: true,
        };
        return onResult(call.id, await callTool(call));
      };
      const server = mcpServer(request, { outputRoot: "any", onCall }, instructions);
      serveTasks(server, request);
      return server;
    },
    {
      legacy: "reject",
      bus: changes,
      onerror: (error) => log.debug({ requestId, err: error }, "An MCP request was refused."),
    },
  );
  const answer = () => handler.fetch(http, { ...(body !== undefined && { parsedBody: body }) });
  if (!isListenRequest(body)) return openMcpStream(answer(), () => {}, refusal);
  const { caller, stated, sessionId } = request;
  const ended = () => void handler.close();
  const { stop } = await watchList({ caller, stated, sessionId, requestId, changed: () => announceChange(), ended });
  return openMcpStream(answer(), stop);
}

function isListenRequest(body: unknown): boolean {
  return (body as { readonly method?: unknown } | null)?.method === "subscriptions/listen";
}
