import { AppError } from "@/lib/errors";

const TIMEOUTS = new Set(["UND_ERR_CONNECT_TIMEOUT", "UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT", "ETIMEDOUT"]);
const TOO_LARGE = new Set(["UND_ERR_HEADERS_OVERFLOW", "HPE_HEADER_OVERFLOW", "UND_ERR_RES_EXCEEDED_MAX_SIZE"]);

/**
 * Converts any error of an exchange to an `AppError`. The message holds the system's code (`ECONNREFUSED`). Addresses
 * and messages, which would reveal the inner network, stay in the log.
 */
export function toOutboundError(error: unknown): AppError {
  const known = findKnown(error);
  if (known !== null) return known;
  const code = codeOf(error);
  if (TIMEOUTS.has(code))
    return new AppError("upstream_timeout", "The upstream did not answer in time.", { cause: error });
  if (TOO_LARGE.has(code))
    return new AppError("result_too_large", "The upstream's response headers are larger than 16 KiB.", {
      cause: error,
    });
  const detail = code === "" ? "" : ` (${code})`;
  return new AppError("upstream_unreachable", `The upstream could not be reached${detail}.`, { cause: error });
}

/** Parallel connection attempts wrap the error of each attempt. */
function findKnown(error: unknown, depth = 0): AppError | null {
  if (error instanceof AppError) return error;
  if (!(error instanceof Error) || depth > 4) return null;
  const inner = error instanceof AggregateError ? error.errors : [error.cause];
  for (const item of inner) {
    const known = findKnown(item, depth + 1);
    if (known !== null) return known;
  }
  return null;
}

function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
