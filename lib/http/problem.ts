import type { z } from "zod";
import { dotted } from "@/lib/access/model/storable";
import { type AppError, ERRORS, type FieldProblem, toAppError } from "@/lib/errors";
import { Reply } from "@/lib/http/reply";
import { log } from "@/lib/telemetry/log";

/** The most problems that an answer lists: a body may have one for each of a hundred thousand values. */
const MAX_PROBLEMS = 500;

/**
 * Converts zod's issues to field problems. Each unknown key gets its own path, and a missing key is named as missing.
 */
export function fieldProblems(error: z.core.$ZodError): FieldProblem[] {
  const problems = error.issues.slice(0, MAX_PROBLEMS).flatMap((issue) => {
    if (issue.code === "unrecognized_keys")
      return issue.keys
        .slice(0, MAX_PROBLEMS)
        .map((key) => ({ path: dotted([...issue.path, key]), message: "unknown field: remove it" }));
    const missing = issue.code === "invalid_type" && issue.message.endsWith("received undefined");
    const message = missing ? `is missing: state a value of type ${issue.expected}` : issue.message;
    return [{ path: dotted(issue.path), message }];
  });
  return problems.slice(0, MAX_PROBLEMS);
}

/**
 * Converts any thrown value to an `application/problem+json` answer (RFC 9457). Only an `AppError` reaches the caller.
 * Anything else is logged, and answered as `internal` with the request id.
 */
export function toProblem(error: unknown, requestId: string): Reply {
  const known = toAppError(error);
  if (known.status >= 500) logFailure(known, requestId);
  // Not an error: the change waits as a change request, which the answer names.
  if (known.code === "awaits_review")
    return Reply.json(known.extra, 202, { "x-request-id": requestId, "cache-control": "no-store", ...known.headers });
  const { status, title, retryable } = ERRORS[known.code];
  const body = {
    type: `urn:quartermaster:error:${known.code}`,
    title,
    status,
    detail: known.message,
    code: known.code,
    retryable,
    request_id: requestId,
    errors: known.errors,
    ...known.extra,
  };
  return Reply.json(body, status, {
    "content-type": "application/problem+json",
    "x-request-id": requestId,
    "cache-control": "no-store",
    ...known.headers,
  });
}

/** Logs a failure. An error without a cause is one of our own, such as "the web app is starting": its stack says nothing. */
function logFailure({ code, cause, message }: AppError, requestId: string): void {
  if (cause === undefined) log.warn({ requestId, code }, message);
  else log.error({ requestId, code, err: cause }, message);
}
