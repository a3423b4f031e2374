import { expect } from "vitest";
import { ERRORS, type ErrorCode } from "@/lib/errors";
import type { Got } from "@/test/support/admin";

/** Words that only our code, its libraries or its store would use. */
const INSIDES = /\n\s+at \S|node_modules|prisma|SQLSTATE|\bselect .+ from\b|\/work\/|file:\/\/|ECONN|\[object /i;
/** Failures of ours; every other code of 500 and more says what somebody else does, or that there is a pause. */
const OURS: readonly unknown[] = ["internal", "config_unavailable", "log_unavailable"];

/**
 * Fails unless an answer is one that any request may get: no failure of ours, a request id, and of a refusal a code of the
 * table with its status, words, and for a wrong field its path (docs/reference/promises.md#limits-on-input).
 */
export function expectDecent({ status, headers, text, json }: Got): void {
  expect(headers.get("x-request-id")).toMatch(/^[\w.-]{8,128}$/);
  if (status < 400) return;
  const type = headers.get("content-type");
  if (type !== "application/problem+json") return expectDecentCall(status, json);
  const {
    code,
    detail,
    errors,
    request_id: requestId,
    status: statedStatus,
  } = json as typeof json & { status: number };
  expect(OURS).not.toContain(code);
  expect(ERRORS[code as ErrorCode].status).toBe(status);
  expect([statedStatus, requestId]).toEqual([status, headers.get("x-request-id")]);
  expect(detail).toMatch(/\w.*\.$/s);
  if (status === 400) for (const { message } of errors) expect(message).not.toBe("");
  expect(text).not.toMatch(INSIDES);
}

/** A call that was parsed is answered as a result, refused or failed (docs/reference/http.md#agent-api). */
function expectDecentCall(status: number, json: Got["json"]): void {
  const { error } = json as { error?: { code: string; message: string } };
  expect(error?.message).not.toBe("");
  expect(OURS).not.toContain(error?.code);
  expect(ERRORS[error?.code as ErrorCode].status).toBe(status);
}
