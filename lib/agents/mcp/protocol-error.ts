import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { ERRORS, toAppError } from "@/lib/errors";
import { log } from "@/lib/telemetry/log";

/**
 * Any thrown value as an error of the protocol. Only an `AppError` speaks to the caller, with its code in `data`; the
 * library would tell the message of anything else.
 */
export function toProtocolError(error: unknown, requestId: string): ProtocolError {
  if (error instanceof ProtocolError) return error;
  const known = toAppError(error);
  if (known.status >= 500) log.error({ requestId, code: known.code, err: error }, known.message);
  const { code, message, errors, status } = known;
  const at = status < 500 ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
  return new ProtocolError(at, message, { code, retryable: ERRORS[code].retryable, request_id: requestId, errors });
}

/** An HTTP answer of the transport itself, with a JSON-RPC error that belongs to no request (JSON-RPC 2.0, 5.1). */
export function transportError(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
}
