/**
 * The challenge that refuses a token for its scopes (RFC 6750, 3.1). Names those that the token has too, because clients ask for
 * exactly what the challenge names, and the new token would lack the others.
 */
export function scopeChallenge(scopes: readonly string[]): string {
  // A scope with characters that a header cannot hold is left out (RFC 6749, 3.3).
  const named = scopes.filter((scope) => /^[!#-[\]-~]+$/.test(scope)).join(" ");
  return `Bearer realm="quartermaster", error="insufficient_scope", scope="${named}"`;
}
