import { AppError } from "@/lib/errors";

/** The owner of each refused credential, for the audit trail; `null` when nothing in the credential is proven. */
const owners = new WeakMap<object, string | null>();

/** The owner of a refused credential; `undefined` for an error that is no such refusal. */
export function ownerOfRefused(error: AppError): string | null | undefined {
  return owners.get(error);
}

/**
 * A 401 with its challenge (RFC 6750, 3). The message helps an honest developer, but reveals nothing about existing keys,
 * subjects or agents.
 *
 * @param owner the proven owner of the credential; the answer does not contain it
 */
export function refuseCredential(message: string, cause?: unknown, owner: string | null = null): AppError {
  // A person may have written part of the message. Headers allow only printable ASCII.
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

/** A 401 for a request without the required credential. */
export function requireCredential(message: string): AppError {
  return new AppError("unauthenticated", message, { headers: { "www-authenticate": 'Bearer realm="quartermaster"' } });
}
