import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from "@modelcontextprotocol/client";
import { AppError, ERRORS } from "@/lib/errors";
import type { RunResult } from "@/lib/calls/pipeline/contract";
import { detailsOf } from "@/lib/calls/linked-accounts/authorization-needed";
import { maskWords } from "@/lib/calls/credentials/mask";
import { BROKEN_OFF } from "@/lib/calls/mcp/http-transport";
import { withoutTraces } from "@/lib/calls/pipeline/stack-traces";

/** The most characters of a server's error message that an agent receives. */
const MAX_COMPLAINT = 2048;

/** A failure in the form that a call reports, with the HTTP status when there was one. */
type McpFailure = Required<Pick<RunResult, "error">> & Pick<RunResult, "status">;

/**
 * Converts an error of the client to an error of the table. Shows the server's message, bounded and without the texts in
 * `hidden`; the rest is not.
 */
export function toMcpFailure(error: unknown, hidden: Iterable<string>): McpFailure {
  const shown = (text: string) => toShown(text, hidden);
  const known = findIn(error, (cause) => cause instanceof AppError);
  if (known instanceof AppError) {
    const { code, message } = known;
    const details = detailsOf(known);
    return { error: { code, message, retryable: ERRORS[code].retryable, ...(details !== undefined && { details }) } };
  }
  const answered = findIn(error, (cause) => cause instanceof SdkHttpError);
  if (answered instanceof SdkHttpError) return ofStatus(answered, shown);
  const refused = findIn(error, (cause) => cause instanceof ProtocolError);
  if (refused instanceof ProtocolError && refused.code === BROKEN_OFF)
    return failure("upstream_unreachable", "The server's answer ended early.");
  if (refused instanceof ProtocolError)
    return failure("upstream_error", `The server refused the request: ${shown(refused.message)}`, {
      details: { code: refused.code },
    });
  const missing = findIn(error, (cause) => cause instanceof Error && "syscall" in cause && "code" in cause);
  if (missing !== null)
    return failure(
      "upstream_unreachable",
      `The server's command could not be started (${(missing as Error & { code: string }).code}).`,
    );
  return error instanceof SdkError ? ofClient(error) : failure("internal", "The request to the server failed.");
}

function ofStatus(error: SdkHttpError, shown: (text: string) => string): McpFailure {
  const { status } = error;
  if (status === 401 || status === 403)
    return {
      ...failure("upstream_auth_failed", `The server refused the credentials of the source (${status}).`),
      status,
    };
  if (status >= 300 && status < 400)
    return {
      ...failure("upstream_error", `The server answered with a redirect (${status}), which is not followed.`),
      status,
    };
  const body = error.data.text;
  const details = typeof body === "string" && body !== "" ? { status, body: shown(body) } : { status };
  return { ...failure("upstream_error", `The server answered with status ${status}.`, { details }), status };
}

function ofClient({ code }: SdkError): McpFailure {
  switch (code) {
    case SdkErrorCode.RequestTimeout:
      return failure("upstream_timeout", "The server did not answer in time.");
    case SdkErrorCode.ConnectionClosed:
    case SdkErrorCode.NotConnected:
    case SdkErrorCode.SendFailed:
      return failure("upstream_unreachable", "The connection to the server ended.");
    case SdkErrorCode.UnsupportedResultType:
      return failure(
        "upstream_error",
        "The server requested input from a person, a model or files of the caller, which Quartermaster does not support.",
      );
    case SdkErrorCode.ListPaginationExceeded:
      return failure("result_too_large", "The server's list of tools does not end.");
    default:
      return failure("upstream_error", "The server's answer is not valid MCP.");
  }
}

function failure(
  code: NonNullable<RunResult["error"]>["code"],
  message: string,
  more: Pick<NonNullable<RunResult["error"]>, "details"> = {},
): McpFailure {
  return { error: { code, message, retryable: ERRORS[code].retryable, ...more } };
}

function findIn(error: unknown, fits: (cause: Error) => boolean, depth = 0): Error | null {
  if (!(error instanceof Error) || depth > 4) return null;
  return fits(error) ? error : findIn(error.cause, fits, depth + 1);
}

/** A server's error message for agents: bounded, without the texts in `hidden`, and without stack traces. */
export function toShown(text: string, hidden: Iterable<string>): string {
  const shown = withoutTraces(maskWords(text, hidden));
  return shown.length > MAX_COMPLAINT ? `${shown.slice(0, MAX_COMPLAINT)}…` : shown;
}
