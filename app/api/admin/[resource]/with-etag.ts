/** A row with the ETag that `If-Match` wants back: the revision that last wrote it. */
export function withETag(row: { readonly revision: number }, status = 200): Response {
  return Response.json(row, { status, headers: { etag: `"${row.revision}"` } });
}
