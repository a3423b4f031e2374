/**
 * Headers that control the connection, the identity or the route: no argument and no configured request may set them
 * (docs/reference/execution.md#outbound-http). Only the app adds credentials.
 */
const FORBIDDEN = new Set([
  "host",
  "authorization",
  "cookie",
  "cookie2",
  "set-cookie",
  "content-length",
  "transfer-encoding",
  "te",
  "trailer",
  "connection",
  "keep-alive",
  "upgrade",
  "http2-settings",
  "expect",
  "forwarded",
  "via",
  "x-real-ip",
  "x-original-url",
  "x-rewrite-url",
  "x-http-method",
  "x-http-method-override",
  "x-method-override",
  "accept-encoding",
]);

/** Whether only the client itself may set a request header; ignores case. */
export function isForbiddenHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return FORBIDDEN.has(lower) || lower.startsWith("proxy-") || lower.startsWith("x-forwarded-");
}

/** The problem of a header's name or value (RFC 9110, 5.1 and 5.5), or null. */
export function problemOfHeader(name: string, value: string): string | null {
  if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,200}$/.test(name)) return `\`${name.slice(0, 200)}\` is not a header name`;
  if (isForbiddenHeader(name)) return `the header \`${name}\` cannot be set`;
  // Visible ASCII, spaces and tabs: a line break could start another header, and other bytes could be misread.
  return /^[\t\x20-\x7e]*$/.test(value) ? null : `the value of \`${name}\` may hold visible ASCII characters only`;
}
