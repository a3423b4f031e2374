import type { Progress } from "@modelcontextprotocol/client";
import type { JsonObject } from "@/lib/access/model/configuration";
import type { Caller } from "@/lib/auth/agents/caller";
import { isConnectFailure } from "@/lib/outbound/connector";
import { OUTBOUND_LIMITS } from "@/lib/outbound/fetch";
import type { ToolRow } from "@/lib/resources/tool";
import { stage } from "@/lib/process/turn";
import { traceFields, type TraceContext } from "@/lib/telemetry/trace-context";
import type { RunResult, ToolContext } from "@/lib/calls/pipeline/contract";
import { maskResult, maskWords } from "@/lib/calls/credentials/mask";
import type { McpConnection, McpSource } from "@/lib/calls/mcp/connect";
import { sharedMcpConnections, type McpConnections } from "@/lib/calls/mcp/connections";
import { toMcpComplaint, toMcpOutput } from "@/lib/calls/mcp/content";
import { toMcpFailure } from "@/lib/calls/mcp/failure";

/** One call of a tool of an MCP server, after every check of the pipeline. */
interface McpCall {
  readonly tool: Pick<ToolRow, "run">;
  readonly source: McpSource;
  /** For token exchange (the caller's own token is exchanged, never sent) and for linked accounts. */
  readonly caller: Pick<Caller, "credential" | "bearer" | "principal">;
  readonly arguments: JsonObject;
  readonly signal: AbortSignal;
  readonly context: Pick<ToolContext, "progress">;
  /** Whether the caller receives progress: without a listener, the server sends none. */
  readonly hasListener: boolean;
  /** Sent in `_meta`, as MCP defines: one HTTP connection serves many traces. */
  readonly trace?: TraceContext | null;
}

/** The most characters of a progress message that are passed on. */
const MAX_MESSAGE = 500;

/**
 * Runs a tool whose `run` is a tool of an MCP server (docs/reference/execution.md#pipeline). Never throws: every failure is a result.
 * Passes progress on, and notifies the server of a cancellation. One attempt, and one more in a new session when the server
 * has lost the session. The result contains nothing of the credentials.
 */
export async function runMcp(call: McpCall, connections: McpConnections = sharedMcpConnections()): Promise<RunResult> {
  const started = performance.now();
  const { run } = call.tool;
  let attempts = 0;
  let hidden: ReadonlySet<string> = new Set();
  const ended = (result: Pick<RunResult, "success" | "output" | "content" | "error" | "status">): RunResult => ({
    ...maskResult(result, [...hidden]),
    ...(result.status !== undefined && { status: result.status }),
    upstreamMs: performance.now() - started,
    attempts: Math.max(attempts, 1),
  });
  if (run?.kind !== "mcp")
    return ended({
      success: false,
      error: { code: "upstream_error", message: "The tool has no name at its MCP server: import it again." },
    });
  try {
    const result = await connections.use(call.source, call.caller, (connection) => {
      attempts += 1;
      hidden = connection.hidden;
      return callRemote(connection, run.tool, call);
    });
    if (result.isError === true)
      return ended({ success: false, error: { code: "upstream_error", message: toMcpComplaint(result, hidden) } });
    return ended({ success: true, ...(await stage(() => toMcpOutput(result))) });
  } catch (error) {
    const unsent = attempts === 0 || isConnectFailure(error);
    const failure = toMcpFailure(call.signal.aborted ? call.signal.reason : error, hidden);
    return { ...ended({ success: false, ...failure }), unsent };
  }
}

function callRemote({ client, hidden }: McpConnection, name: string, call: McpCall) {
  const { arguments: args, signal, context, hasListener, trace = null } = call;
  const onprogress = (progress: Progress) => reportProgress(context, progress, hidden);
  return client.callTool(
    { name, arguments: { ...args }, ...(trace !== null && { _meta: traceFields(trace) }) },
    // The pipeline's deadline is in the signal.
    { signal, timeout: OUTBOUND_LIMITS.longestMs, ...(hasListener && { onprogress }) },
  );
}

/** Without a total there is no fraction: only the message is passed on. */
function reportProgress({ progress }: McpCall["context"], update: Progress, hidden: ReadonlySet<string>): void {
  const fraction = update.total === undefined || update.total <= 0 ? 0 : update.progress / update.total;
  const message = maskWords(update.message ?? "", hidden).slice(0, MAX_MESSAGE);
  progress(Math.min(1, Math.max(0, fraction)), message);
}
