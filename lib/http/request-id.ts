import { randomUUID } from "node:crypto";
import { maskSecretShapes } from "@/lib/telemetry/secret-shapes";

/** The caller's `x-request-id` when it is plain (so that traces join up), else a new one; none could be read of what is no request. */
export function newRequestId(request?: Request): string {
  const given = request?.headers.get("x-request-id") ?? null;
  const isPlain = given !== null && /^[A-Za-z0-9._-]{8,128}$/.test(given);
  // It is logged and stored: what looks like a secret is not taken.
  return isPlain && maskSecretShapes(given) === given ? given : randomUUID();
}
