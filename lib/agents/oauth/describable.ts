import * as errors from "oidc-provider/lib/helpers/errors.js";

/** A text as `error_description`, which holds printable ASCII except `"` and `\` (RFC 6749, 5.2). */
export function describable(text: string): string {
  return text.replaceAll(/[^\x20-\x21\x23-\x5B\x5D-\x7E]/g, "?");
}

/** `invalid_grant` with a description that is sent to the client: oidc-provider's own class sends a fixed one. */
export function invalidGrant(description: string): Error {
  return Object.assign(new errors.InvalidGrant(description), { error_description: describable(description) });
}
