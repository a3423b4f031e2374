/** Whether the caller already has this version: `If-None-Match` by weak comparison (RFC 9110, 13.1.2). */
export function isUnchanged(request: Request, etag: string): boolean {
  const header = request.headers.get("if-none-match");
  if (header === null) return false;
  return header.split(",").some((candidate) => {
    const tag = candidate.trim().replace(/^W\//, "");
    return tag === "*" || tag === etag;
  });
}
