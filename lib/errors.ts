/**
 * The single table of error codes: each code with its HTTP status and whether a retry may help
 * (docs/reference/http.md#errors). A new code is one line here.
 */
export const ERRORS = {
  unauthenticated: { status: 401, retryable: false, title: "Not authenticated" },
  forbidden: { status: 403, retryable: false, title: "Not permitted" },
  invalid_request: { status: 400, retryable: false, title: "Invalid request" },
  not_found: { status: 404, retryable: false, title: "Not found" },
  method_not_allowed: { status: 405, retryable: false, title: "Method not allowed" },
  conflict: { status: 409, retryable: false, title: "Conflict" },
  stale: { status: 409, retryable: false, title: "Changed in the meantime" },
  in_use: { status: 409, retryable: false, title: "In use" },
  precondition_required: { status: 428, retryable: false, title: "If-Match required" },
  reason_needed: { status: 428, retryable: false, title: "Reason needed" },
  request_timeout: { status: 408, retryable: true, title: "Request took too long" },
  payload_too_large: { status: 413, retryable: false, title: "Too large" },
  unsupported_media_type: { status: 415, retryable: false, title: "Unsupported media type" },
  expectation_failed: { status: 417, retryable: false, title: "Expectation failed" },
  headers_too_large: { status: 431, retryable: false, title: "Headers too large" },
  dropped: { status: 410, retryable: false, title: "Dropped from the log" },
  session_not_found: { status: 404, retryable: false, title: "No such session" },
  tool_not_available: { status: 404, retryable: false, title: "Tool not available" },
  access_requestable: { status: 403, retryable: false, title: "Access on request" },
  ambiguous_name: { status: 409, retryable: false, title: "Ambiguous name" },
  session_busy: { status: 409, retryable: true, title: "Session is busy" },
  invalid_arguments: { status: 400, retryable: false, title: "Invalid arguments" },
  arguments_refused: { status: 403, retryable: false, title: "Arguments refused" },
  insufficient_scope: { status: 403, retryable: false, title: "Insufficient scope" },
  authorization_needed: { status: 403, retryable: false, title: "Linked account needed" },
  rate_limited: { status: 429, retryable: true, title: "Rate limited" },
  quota_exceeded: { status: 429, retryable: true, title: "Quota exceeded" },
  approval_denied: { status: 403, retryable: false, title: "Approval refused" },
  approval_expired: { status: 403, retryable: false, title: "Approval expired" },
  idempotency_conflict: { status: 422, retryable: false, title: "Idempotency key reused" },
  idempotency_running: { status: 409, retryable: true, title: "Still running" },
  upstream_auth_failed: { status: 502, retryable: false, title: "Upstream refused the credentials" },
  upstream_timeout: { status: 504, retryable: true, title: "Upstream timed out" },
  upstream_unreachable: { status: 502, retryable: true, title: "Upstream unreachable" },
  upstream_error: { status: 502, retryable: false, title: "Upstream error" },
  tool_failed: { status: 502, retryable: false, title: "Tool failed" },
  circuit_open: { status: 503, retryable: true, title: "Circuit open" },
  address_refused: { status: 502, retryable: false, title: "Address refused" },
  result_too_large: { status: 502, retryable: false, title: "Result too large" },
  output_invalid: { status: 502, retryable: false, title: "Output does not match its schema" },
  sandbox_timeout: { status: 502, retryable: false, title: "Script ran out of time" },
  sandbox_memory: { status: 502, retryable: false, title: "Script ran out of memory" },
  sandbox_error: { status: 502, retryable: false, title: "Script failed" },
  awaits_review: { status: 202, retryable: false, title: "Waits for review" },
  cancelled: { status: 200, retryable: false, title: "Cancelled" },
  interrupted: { status: 200, retryable: false, title: "Interrupted" },
  paused: { status: 503, retryable: true, title: "Paused" },
  overloaded: { status: 503, retryable: true, title: "Overloaded" },
  config_unavailable: { status: 503, retryable: true, title: "Configuration unavailable" },
  log_unavailable: { status: 503, retryable: true, title: "Log unavailable" },
  internal: { status: 500, retryable: false, title: "Internal error" },
} as const satisfies Record<string, { status: number; retryable: boolean; title: string }>;

/** One error code. */
export type ErrorCode = keyof typeof ERRORS;

/**
 * The public code. Both refusals of an idempotency key share one code and differ by status
 * (docs/reference/http.md#errors).
 */
export function publicCode(code: ErrorCode): ErrorCode {
  return code === "idempotency_running" ? "idempotency_conflict" : code;
}

/** One problem in an input. `path` is dotted from the root of the body or query; `""` means the whole input. */
export interface FieldProblem {
  readonly path: string;
  readonly message: string;
}

/** Optional facts of an error, besides its code and message. */
interface ErrorFacts {
  /** The private reason: logged, never sent. */
  readonly cause?: unknown;
  /** The invalid fields (RFC 9457 extension member `errors`). */
  readonly errors?: readonly FieldProblem[];
  /** More public members of the problem document: the `users` of an object in use, the `current` row. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** Response headers, such as `Retry-After` or `WWW-Authenticate`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Next bundles each route separately: one copy of this module must recognise what another copy throws. */
const BRAND = Symbol.for("quartermaster.AppError");

/**
 * An error whose message is for the caller. Any other thrown value becomes `internal`, with a request id and no detail.
 */
export class AppError extends Error {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && BRAND in value;
  }

  readonly [BRAND] = true;
  readonly code: ErrorCode;
  readonly errors: readonly FieldProblem[];
  readonly extra: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, publicMessage: string, facts: ErrorFacts = {}) {
    super(publicMessage, { cause: facts.cause });
    this.name = "AppError";
    this.code = code;
    this.errors = facts.errors ?? [];
    this.extra = facts.extra ?? {};
    this.headers = facts.headers ?? {};
  }

  /** The HTTP status of the code. */
  get status(): number {
    return ERRORS[this.code].status;
  }
}

/** Converts any thrown value to an error for callers. Only the message of an `AppError` reaches them. */
export function toAppError(error: unknown): AppError {
  return error instanceof AppError ? error : new AppError("internal", "The server failed.", { cause: error });
}

/** The message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
