import { AppError } from "@/lib/errors";

/** Whom a refused credential belongs to, for the audit trail; `null` when it says nothing that could be believed. */
const owners = new WeakMap<object, string | null>();

/** The owner of a refused credential; `undefined` for an error that refuses none. */
export function ownerOfRefused(error: AppError): string | null | undefined {
  return owners.get(error);
}

/**
 * A 401 with its challenge (RFC 6750, 3). The message helps an honest developer and nobody else: it says
 * nothing about which keys, subjects or agents exist.
 *
 * @param owner whose credential it is, where that is proven; the caller is not told
 */
export function refuseCredential(message: string, cause?: unknown, owner: string | null = null): AppError {
  // A person may have written a part of it: a header holds printable ASCII only.
  const description = message.replaceAll(/["\\`]/g, "'").replaceAll(/[^\x20-\x7E]/g, "?");
  const error = new AppError("unauthenticated", message, {
    cause,
    headers: {
      "www-authenticate": `Bearer realm="quartermaster", error="invalid_token", error_description="${description}"`,
    },
  });
  owners.set(error, owner);
  return error;
}

/** A 401 for a request that brings no credential where one belongs. */
export function requireCredential(message: string): AppError {
  return new AppError("unauthenticated", message, { headers: { "www-authenticate": 'Bearer realm="quartermaster"' } });
}
