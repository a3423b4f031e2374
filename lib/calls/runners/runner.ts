import type { JsonObject } from "@/lib/access/model/configuration";
import type { Caller } from "@/lib/auth/agents/caller";
import type { SourceRow } from "@/lib/resources/source";
import type { ToolRow } from "@/lib/resources/tool";
import type { PrintedLine } from "@/lib/sandbox/messages";
import type { TraceContext } from "@/lib/telemetry/trace-context";
import type { RunResult, ToolContext } from "@/lib/calls/pipeline/contract";
import type { CallTool } from "@/lib/calls/pipeline/nested";

/** What a runner is handed: everything was decided, checked and logged before. */
export interface RunInput {
  readonly tool: ToolRow;
  readonly source: SourceRow;
  /** Never handed to a tool's own code: it holds the credential. */
  readonly caller: Caller;
  readonly arguments: JsonObject;
  /** What tells an upstream that two requests are one call; `null` where the upstream honours no keys. */
  readonly idempotency: { readonly header: string; readonly key: string } | null;
  /** Aborted at the tool's deadline. */
  readonly signal: AbortSignal;
  readonly context: ToolContext;
  /** Whether somebody hears progress and chunks. */
  readonly heard: boolean;
  /** The one door out of a script. */
  readonly callTool: CallTool;
  /** Whether a script calls: what it keeps is not waited for. */
  readonly nested: boolean;
  /** What a script prints is for its author: mostly nobody listens. */
  readonly print: (line: PrintedLine) => void;
  /** What an upstream is told to continue. */
  readonly trace: TraceContext | null;
}

/** Runs one kind of tool. Failures are values; what is thrown becomes one without its text. */
export type Runner = (input: RunInput) => Promise<RunResult>;
