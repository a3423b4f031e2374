import type { SourceRow } from "@/lib/resources/source";
import { SOURCE_KINDS } from "@/lib/resources/source-kinds";
import type { ToolRow } from "@/lib/resources/tool";
import type { RunResult } from "@/lib/calls/pipeline/contract";

/** Methods that do no more when they are sent twice (RFC 9110, 9.2.2). */
const REPEATABLE: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);

/**
 * Whether Quartermaster may send a tool's request twice or run the tool again after a process died: its method does no
 * more the second time, or an administrator has declared that the upstream honours keys. A caller's key and an MCP
 * server's hints are no proof. Nor is the declaration of a tool in this process: a script can call tools with effects.
 */
export function isRepeatable(tool: ToolRow, source: SourceRow): boolean {
  if (tool.run?.kind !== "http") return false;
  return REPEATABLE.has(tool.run.method) || idempotencyHeaderOf(tool, source) !== null;
}

/**
 * Whether a caller may repeat a call whose answer was lost, without looking at the effects first. For a tool in this
 * process its declared side effects decide, because the caller decides about the repetition and nobody else.
 */
export function mayCallerRepeat(tool: ToolRow, source: SourceRow): boolean {
  return SOURCE_KINDS[source.kind].upstream ? isRepeatable(tool, source) : !tool.hasSideEffects;
}

/** The header that carries a call's key to an upstream; `null` = the upstream is not known to honour keys. */
export function idempotencyHeaderOf(tool: ToolRow, source: SourceRow): string | null {
  return tool.idempotencyHeader ?? source.idempotencyHeader;
}

/** Failures after which it is unknown whether the upstream acted: its answer was lost, unread, or came from a gateway. */
const ANSWER_LOST: ReadonlySet<string> = new Set(["upstream_unreachable", "upstream_timeout", "result_too_large"]);
/** A gateway also answers 503 when the upstream took too long, or closed the connection. */
const GATEWAY_STATUSES: ReadonlySet<number> = new Set([502, 503, 504]);

/** Marks a lost answer as not retryable, so that no caller repeats an operation that may have taken effect. */
export function withLostAnswerMarked(result: RunResult): RunResult {
  const { success, error, unsent, status, attempts } = result;
  if (success || error === undefined || unsent === true || attempts === 0) return result;
  const isUnread = error.code === "upstream_error" && status !== undefined && status < 300;
  const isOfGateway = error.code === "upstream_error" && GATEWAY_STATUSES.has(status ?? 0);
  const isLost = ANSWER_LOST.has(error.code) || isUnread || isOfGateway;
  if (!isLost) return result;
  const message = `${error.message} The operation may have taken effect: check before you call it again.`;
  return { ...result, error: { ...error, message, retryable: false } };
}
