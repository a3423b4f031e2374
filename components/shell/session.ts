interface AuthAnswer {
  readonly ok: boolean;
  /** next-auth's code of the error. */
  readonly error: string | null;
  /** The server's sentence, where not next-auth failed but the server. */
  readonly problem: string | null;
  /** Where to go next. */
  readonly url: string;
}

/**
 * Posts to next-auth's own routes with its CSRF token. The answer's address says where to go next and how it
 * went: next-auth puts an error into its query.
 *
 * @throws Error when the server cannot be reached or answers nothing usable
 */
export async function postAuth(
  action: "callback/credentials" | "signin/openid" | "signout",
  fields: Record<string, string>,
): Promise<AuthAnswer> {
  const { csrfToken, detail: refusal } = await json<{ csrfToken?: string }>(await fetch("/api/auth/csrf"));
  if (csrfToken === undefined) return { ok: false, error: null, problem: refusal ?? null, url: "/" };
  const response = await fetch(`/api/auth/${action}`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ ...fields, csrfToken, json: "true" }),
  });
  const { url = "/", detail = null } = await json<{ url?: string }>(response);
  const error = new URL(url, window.location.origin).searchParams.get("error");
  return { ok: response.ok && error === null, error, problem: response.ok ? null : detail, url };
}

/** An answer of next-auth, or a problem document of the server. */
async function json<T>(response: Response): Promise<T & { readonly detail?: string }> {
  return (await response.json()) as T & { readonly detail?: string };
}
