/** The challenge of an answer that refuses a token for its scopes: what it must carry for the call to be made again (RFC 6750, 3.1). */
export function scopeChallenge(required: readonly string[]): string {
  // RFC 6749, 3.3: a scope that cannot stand in a header is left out.
  const told = required.filter((scope) => /^[!#-[\]-~]+$/.test(scope)).join(" ");
  return `Bearer realm="quartermaster", error="insufficient_scope", scope="${told}"`;
}
