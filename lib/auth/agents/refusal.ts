import { AppError } from "@/lib/errors";

/**
 * A 401 with its challenge (RFC 6750, 3). The message helps an honest developer and nobody else: it says
 * nothing about which keys, subjects or agents exist.
 */
export function refuseCredential(message: string, cause?: unknown): AppError {
  return new AppError("unauthenticated", message, {
    cause,
    headers: {
      "www-authenticate": `Bearer realm="quartermaster", error="invalid_token", error_description="${message.replaceAll(/["\\`]/g, "'")}"`,
    },
  });
}

/** A 401 for a request that brings no credential where one belongs. */
export function requireCredential(message: string): AppError {
  return new AppError("unauthenticated", message, { headers: { "www-authenticate": 'Bearer realm="quartermaster"' } });
}
