import type { Json, JsonObject, ToolAnnotations } from "@/lib/access/model/configuration";
import type { ToolFlow } from "@/lib/access/model/flow";
import type { ErrorCode } from "@/lib/errors";
import type { SchemaProblem } from "@/lib/calls/schemas/schema-problem";

/** The caller of a tool. */
interface ToolPrincipal {
  readonly issuer: string;
  readonly subject: string;
  readonly agent: string | null;
  /** The OAuth client that the caller's token names. */
  readonly client?: string | null;
}

/** A tool as the caller of this call sees it in its list. */
interface VisibleTool {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly category: string | null;
}

/** The context that a tool receives with its arguments. */
export interface ToolContext {
  readonly principal: ToolPrincipal;
  readonly persona: string | null;
  /** The call's id: upstream requests and logs carry it. */
  readonly correlationId: string;
  readonly session: string | null;
  /** Aborted at the tool's deadline and when the caller cancels. */
  readonly signal: AbortSignal;
  /** Time of the call, epoch milliseconds. */
  readonly now: number;
  /** The caller's own list, for tools that speak about tools. Made one by one, because it may be long. */
  readonly visibleTools: () => Iterable<VisibleTool>;
  /** @param fraction 0..1 */
  readonly progress: (fraction: number, message: string) => void;
  readonly emit: (chunk: Json) => void;
}

/** A tool's result. A failure is a value; a thrown exception becomes a failure without its text. */
export interface ToolResult {
  readonly success: boolean;
  readonly output?: Json;
  /** One sentence that the model may read. */
  readonly error?: string;
  readonly details?: Json;
  readonly contentType?: string;
}

/** A tool in TypeScript (docs/reference/execution.md#tool-contract). */
export interface BuiltinTool {
  /** `source:operation`; unique. */
  readonly id: string;
  /** Unique; equals the operation of the id unless stated otherwise. */
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly guidance?: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly requiredCapabilities?: readonly string[];
  readonly category?: string;
  readonly version?: string;
  readonly tags?: readonly string[];
  readonly hasSideEffects?: boolean;
  readonly annotations?: ToolAnnotations;
  /** What its calls read, and what it can do; absent = it raises no label and has no class. */
  readonly flow?: Partial<ToolFlow>;
  readonly execute: (args: JsonObject, context: ToolContext) => ToolResult | Promise<ToolResult>;
  /** Checks that the schema cannot express: one sentence per problem; none = valid. */
  readonly validateArgs?: (args: JsonObject) => readonly string[];
  readonly shutdown?: () => void | Promise<void>;
}

/** The warning to a caller that an answer does not fit its tool's output schema. */
export interface OutputWarning {
  readonly message: string;
  /** A few of them; a JSON pointer into the output each. */
  readonly problems: readonly SchemaProblem[];
}

/** How a run ended, whatever kind of tool it was. */
export interface RunResult {
  readonly success: boolean;
  readonly output?: Json;
  /** The answer was passed on although it does not fit the output schema. */
  readonly warning?: OutputWarning;
  /** MCP content blocks that add to the output; absent = none. */
  readonly content?: readonly JsonObject[];
  readonly error?: {
    readonly code: ErrorCode;
    readonly message: string;
    /** Absent = as the table of error codes says. */
    readonly retryable?: boolean;
    readonly details?: Json;
    /** Headers that an HTTP endpoint adds: when to retry. */
    readonly headers?: Readonly<Record<string, string>>;
  };
  /** Milliseconds spent in the tool. */
  readonly upstreamMs: number;
  /** How often a runner tried it; 0 = none did, because of a limit, the breaker or a cancellation. See `unsent`. */
  readonly attempts: number;
  /** The upstream's HTTP status, when it answered. */
  readonly status?: number;
  /** The connection failed, so the upstream received nothing of the request. */
  readonly unsent?: boolean;
  /** Part of the answer was streamed to the caller: a retry would stream it twice. */
  readonly streamed?: boolean;
}
