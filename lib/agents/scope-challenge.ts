/** The challenge that refuses a token and names the scopes that the call requires (RFC 6750, 3.1). */
export function scopeChallenge(required: readonly string[]): string {
  // A scope with characters that a header cannot hold is left out (RFC 6749, 3.3).
  const told = required.filter((scope) => /^[!#-[\]-~]+$/.test(scope)).join(" ");
  return `Bearer realm="quartermaster", error="insufficient_scope", scope="${told}"`;
}
