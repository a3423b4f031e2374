import type { Caller } from "@/lib/auth/agents/caller";
import type { Stated } from "@/lib/calls/pipeline/request-fields";
import type { Dependencies } from "@/lib/calls/pipeline/dependencies";

/** One HTTP request at `/mcp`: the caller, the parameters that narrow the tools, and the JSON-RPC messages. */
export interface McpRequest {
  readonly caller: Caller;
  /** Authenticates the same request again. @throws AppError `unauthenticated` */
  readonly reauthenticate: () => Promise<Caller>;
  readonly requestId: string;
  readonly stated: Stated;
  /** The agent session (`session_id`), not the session of the MCP transport. */
  readonly sessionId: string | null;
  /** `search`: three tools instead of the list (decision 0022). */
  readonly listing: "full" | "search";
  readonly http: Request;
  /** The parsed body. Nothing has limited a call's arguments yet. `undefined` for a request without a body. */
  readonly body: unknown;
  readonly deps: () => Dependencies;
}
