import { randomUUID } from "node:crypto";

/** The caller's `x-request-id` when it is plain (so that traces join up), else a new one; none could be read of what is no request. */
export function newRequestId(request?: Request): string {
  const given = request?.headers.get("x-request-id") ?? null;
  return given !== null && /^[A-Za-z0-9._-]{8,128}$/.test(given) ? given : randomUUID();
}
