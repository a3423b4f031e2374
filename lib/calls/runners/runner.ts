import type { JsonObject } from "@/lib/access/model/configuration";
import type { Caller } from "@/lib/auth/agents/caller";
import type { SourceRow } from "@/lib/resources/source";
import type { ToolRow } from "@/lib/resources/tool";
import type { PrintedLine } from "@/lib/sandbox/messages";
import type { TraceContext } from "@/lib/telemetry/trace-context";
import type { RunResult, ToolContext } from "@/lib/calls/pipeline/contract";
import type { CallTool } from "@/lib/calls/pipeline/nested";

/** The input of a runner. The call is already decided, checked and logged. */
export interface RunInput {
  readonly tool: ToolRow;
  readonly source: SourceRow;
  /** Never passed to a tool's own code, because it contains the credential. */
  readonly caller: Caller;
  readonly arguments: JsonObject;
  /** The header and key that identify the call at the upstream; `null` when the upstream honours no keys. */
  readonly idempotency: { readonly header: string; readonly key: string } | null;
  /** Aborted at the tool's deadline. */
  readonly signal: AbortSignal;
  readonly context: ToolContext;
  /** Whether the caller receives progress and chunks. */
  readonly hasListener: boolean;
  /** The only way for a script to call tools. */
  readonly callTool: CallTool;
  /** Whether a script makes the call. Its script does not wait for a thread, because the caller keeps one. */
  readonly nested: boolean;
  /** Receives the lines that a script prints, for its author; usually discarded. */
  readonly print: (line: PrintedLine) => void;
  /** The trace that the upstream continues. */
  readonly trace: TraceContext | null;
}

/** Runs the tools of one kind of source. Failures are values; an exception becomes a failure without its text. */
export type Runner = (input: RunInput) => Promise<RunResult>;
