import type { Caller } from "@/lib/auth/agents/caller";
import type { Stated } from "@/lib/calls/pipeline/asked";
import type { Dependencies } from "@/lib/calls/pipeline/dependencies";

/** One HTTP request at `/mcp`: who asks, what narrows the tools, and the JSON-RPC messages. */
export interface McpRequest {
  readonly caller: Caller;
  /** Authenticates the same request again. @throws AppError `unauthenticated` */
  readonly reauthenticate: () => Promise<Caller>;
  readonly requestId: string;
  readonly stated: Stated;
  /** A session of ours (`session_id`); a session of the transport is something else. */
  readonly sessionId: string | null;
  /** `search`: three tools in place of the list (decision 0022). */
  readonly listing: "full" | "search";
  readonly http: Request;
  /** As parsed: nothing has bounded a call's arguments. `undefined` for a request without a body. */
  readonly body: unknown;
  readonly deps: () => Dependencies;
}
