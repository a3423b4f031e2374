/**
 * Posts to next-auth's own routes with its CSRF token. The answer's address says where to go next and how it
 * went: next-auth puts an error into its query.
 *
 * @throws Error when the server cannot be reached or answers nothing usable
 */
export async function postAuth(
  action: "callback/credentials" | "signin/openid" | "signout",
  fields: Record<string, string>,
): Promise<{ ok: boolean; error: string | null; url: string }> {
  const { csrfToken } = (await (await fetch("/api/auth/csrf")).json()) as { csrfToken: string };
  const response = await fetch(`/api/auth/${action}`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ ...fields, csrfToken, json: "true" }),
  });
  const { url = "/" } = (await response.json()) as { url?: string };
  const error = new URL(url, window.location.origin).searchParams.get("error");
  return { ok: response.ok && error === null, error, url };
}
