import type { JsonObject } from "@/lib/access/configuration";
import { AppError, ERRORS } from "@/lib/errors";
import { outbound, type Outbound } from "@/lib/outbound/fetch";
import type { SourceRow } from "@/lib/resources/source";
import type { ToolRow } from "@/lib/resources/tool";
import type { RunResult } from "@/lib/tools/contract";
import { toRunAnswer } from "@/lib/tools/runners/http-answer";
import { toHttpRequest } from "@/lib/tools/runners/http-request";

/** One call of an HTTP tool, after every check of the pipeline. */
export interface HttpCall {
  readonly tool: Pick<ToolRow, "id" | "run" | "limits">;
  readonly source: Pick<SourceRow, "name" | "auth">;
  readonly arguments: JsonObject;
  readonly signal: AbortSignal;
  /** Sent as `x-request-id`, so that the upstream's log and ours can be joined. */
  readonly correlationId?: string;
}

/**
 * Runs a tool whose `run` is an HTTP request (4-execution, step 10). Never throws: every failure is a
 * result. One attempt; a source that wants credentials fails closed until they can be given.
 */
export async function runHttp(call: HttpCall, send: Outbound = outbound): Promise<RunResult> {
  const started = performance.now();
  const failed = (error: NonNullable<RunResult["error"]>): RunResult => ({
    success: false,
    error,
    upstreamMs: performance.now() - started,
    attempts: 1,
  });
  const { run, limits } = call.tool;
  if (run === null)
    return failed({ code: "upstream_error", message: "The tool has no request to send: import it again." });
  if (call.source.auth.mode !== "none")
    return failed({
      code: "upstream_auth_failed",
      message: `The source \`${call.source.name}\` wants \`${call.source.auth.mode}\` credentials, which cannot be sent yet.`,
    });
  try {
    const request = toHttpRequest(run, call.arguments);
    const answer = await send({
      ...request,
      headers:
        call.correlationId === undefined ? request.headers : { ...request.headers, "x-request-id": call.correlationId },
      signal: call.signal,
      ...(limits.timeoutSeconds === null ? {} : { totalMs: limits.timeoutSeconds * 1000 }),
    });
    return { ...toRunAnswer(answer), upstreamMs: answer.ms, attempts: 1, status: answer.status };
  } catch (error) {
    return failed(toFailure(error));
  }
}

function toFailure(error: unknown): NonNullable<RunResult["error"]> {
  if (!(error instanceof AppError)) return { code: "internal", message: "The request could not be made." };
  const { code, message, errors } = error;
  const details =
    errors.length === 0 ? {} : { details: errors.map((one) => ({ path: one.path, message: one.message })) };
  return { code, message, retryable: ERRORS[code].retryable, ...details };
}
