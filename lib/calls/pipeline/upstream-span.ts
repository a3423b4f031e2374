import type { TraceContext } from "@/lib/telemetry/trace-context";
import { startSpan, type SpanStart } from "@/lib/telemetry/traces";
import type { RunResult } from "@/lib/calls/pipeline/contract";
import type { AuthorizedCall } from "@/lib/calls/pipeline/decide";

/** Makes one attempt at an upstream within a new span. Tools that run in this process have none. */
export async function spanned(
  authorized: AuthorizedCall,
  parent: TraceContext | null,
  make: (trace: TraceContext | null) => Promise<RunResult>,
): Promise<RunResult> {
  const start = startOf(authorized);
  if (start === null) return make(parent);
  const span = startSpan(start, parent);
  try {
    const result = await make(span.context);
    const { status, error } = result;
    span.end({
      attributes: { ...(status !== undefined && { "http.response.status_code": status }) },
      error: error?.code ?? null,
    });
    return result;
  } catch (error) {
    span.end({ attributes: {}, error: "internal" });
    throw error;
  }
}

/** OpenTelemetry, Semantic conventions for HTTP and for MCP. Records only the host, because paths and queries contain arguments. */
function startOf({ tool: { run }, source }: AuthorizedCall): SpanStart | null {
  const of = { "quartermaster.source": source.name };
  switch (run?.kind) {
    case "http":
      return {
        name: run.method,
        kind: "client",
        attributes: { ...of, "http.request.method": run.method, ...serverOf(run.url) },
      };
    case "mcp":
      return {
        name: `tools/call ${run.tool}`,
        kind: "client",
        attributes: {
          ...of,
          "mcp.method.name": "tools/call",
          "gen_ai.operation.name": "execute_tool",
          "gen_ai.tool.name": run.tool,
          ...(source.url !== null && serverOf(source.url)),
        },
      };
    case "script":
    case undefined:
      return null;
  }
}

function serverOf(address: string): Record<string, string | number> {
  if (!URL.canParse(address)) return {};
  const { hostname, port, protocol } = new URL(address);
  return { "server.address": hostname, "server.port": Number(port || (protocol === "https:" ? 443 : 80)) };
}
