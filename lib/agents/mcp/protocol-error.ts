import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { ERRORS, toAppError } from "@/lib/errors";
import { log } from "@/lib/telemetry/log";

/**
 * Converts any thrown value to a protocol error. Only an `AppError` and a `ProtocolError` of the library show their message
 * and code to the caller; the library would show the message of any error.
 */
export function toProtocolError(error: unknown, requestId: string): ProtocolError {
  if (error instanceof ProtocolError) return error;
  const known = toAppError(error);
  if (known.status >= 500) log.error({ requestId, code: known.code, err: error }, known.message);
  const { code, message, errors, status } = known;
  const rpcCode = status < 500 ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
  return new ProtocolError(rpcCode, message, {
    code,
    retryable: ERRORS[code].retryable,
    request_id: requestId,
    errors,
  });
}

/** An HTTP answer of the transport with a JSON-RPC error that belongs to no request (JSON-RPC 2.0, 5.1). */
export function transportError(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
}
