import { randomUUID } from "node:crypto";
import { maskSecretShapes } from "@/lib/telemetry/secret-shapes";

/**
 * The caller's `x-request-id` when it is plain text, so that traces can be joined; else a new id. Without a request it
 * is always new.
 */
export function newRequestId(request?: Request): string {
  const given = request?.headers.get("x-request-id") ?? null;
  const isPlain = given !== null && /^[A-Za-z0-9._-]{8,128}$/.test(given);
  // The id is logged and stored, so a value that looks like a secret is not accepted.
  return isPlain && maskSecretShapes(given) === given ? given : randomUUID();
}
