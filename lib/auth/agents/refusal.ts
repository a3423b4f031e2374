import { AppError } from "@/lib/errors";

/** The facts about a refused credential that only the log and the audit trail state. */
export interface RefusedCredential {
  /** The proven owner of the credential; `null` when nothing in the credential is proven. */
  readonly owner: string | null;
  /** Set when the owner is a disabled agent; its `reason` is the admin's. */
  readonly disabled?: { readonly reason: string | null };
}

const refused = new WeakMap<object, RefusedCredential>();

/** The facts of a refused credential; `undefined` for an error that is no such refusal. */
export function factsOfRefused(error: AppError): RefusedCredential | undefined {
  return refused.get(error);
}

/**
 * A 401 with its challenge (RFC 6750, 3). The message helps an honest developer, but reveals nothing about existing keys,
 * subjects or agents.
 *
 * @param facts the proven facts; the answer does not contain them
 */
export function refuseCredential(
  message: string,
  cause?: unknown,
  facts: RefusedCredential = { owner: null },
): AppError {
  // A person may have written part of the message. Headers allow only printable ASCII.
  const description = message.replaceAll(/["\\`]/g, "'").replaceAll(/[^\x20-\x7E]/g, "?");
  const error = new AppError("unauthenticated", message, {
    cause,
    headers: {
      "www-authenticate": `Bearer realm="quartermaster", error="invalid_token", error_description="${description}"`,
    },
  });
  refused.set(error, facts);
  return error;
}

/** A 401 for a request without the required credential. */
export function requireCredential(message: string): AppError {
  return new AppError("unauthenticated", message, { headers: { "www-authenticate": 'Bearer realm="quartermaster"' } });
}
