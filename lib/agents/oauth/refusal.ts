import type { Context, OuterContext } from "oidc-provider";
import { errorPage } from "@/lib/agents/oauth/error-page";
import { CLIENT_PATHS, OAUTH_PATHS } from "@/lib/agents/oauth/paths";
import { toAppError, type ErrorCode } from "@/lib/errors";
import { log } from "@/lib/telemetry/log";
import { metrics } from "@/lib/telemetry/metrics";

// Errors of our own code around oidc-provider, in OAuth's form: clients read no other.

/** The OAuth error for a code of ours (RFC 6749, 4.1.2.1). Other codes are faults of the server. */
const OAUTH_ERRORS: Partial<Record<ErrorCode, string>> = {
  invalid_request: "invalid_request",
  payload_too_large: "invalid_request",
  request_timeout: "invalid_request",
  rate_limited: "temporarily_unavailable",
  config_unavailable: "temporarily_unavailable",
  log_unavailable: "temporarily_unavailable",
  overloaded: "temporarily_unavailable",
};

/**
 * The answer to a request that failed: JSON for a client (RFC 6749, 5.2; RFC 7591, 3.2.2), a page for a browser.
 *
 * @throws what was thrown, for the metadata and for what is not here: they answer like every other address
 */
export function toOAuthError(thrown: unknown, { url }: Pick<Request, "url">): Response {
  const { pathname } = new URL(url);
  const error = toAppError(thrown);
  const isPage = pathname.startsWith(OAUTH_PATHS.authorization);
  if (error.code === "not_found" || !(isPage || CLIENT_PATHS.includes(pathname))) throw thrown;
  const name = OAUTH_ERRORS[error.code] ?? "server_error";
  if (error.status >= 500) log.error({ code: error.code, err: error.cause ?? error }, error.message);
  metrics().signInRefusals.of({ reason: name }).add();
  const out = { error: name, error_description: error.message };
  const { status, headers } = error;
  if (!isPage) return Response.json(out, { status, headers: { ...headers, "cache-control": "no-store" } });
  return new Response(errorPage(out), {
    status,
    headers: { ...headers, "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
  });
}

/** What failed inside oidc-provider, by Node request. */
const failures = new WeakMap<object, unknown>();

/** Keeps a failure inside oidc-provider, which answers every one as status 500. */
export function noteFailure({ req }: Pick<Context, "req">, error: unknown): void {
  failures.set(req, error);
}

/** Keeps what our code around oidc-provider throws: Koa cannot answer an `AppError`, and srvx would print the request. */
export async function keepFailures(ctx: OuterContext, next: () => Promise<void>): Promise<void> {
  try {
    await next();
  } catch (error) {
    noteFailure(ctx, error);
  }
}

/** Whether something failed inside oidc-provider, other than a refusal. */
export function hasFailed({ req }: Pick<Context, "req">): boolean {
  return failures.has(req);
}

/** Throws what failed in a request, so that it is answered like a failure around oidc-provider. */
export function throwFailure(req: object): void {
  if (failures.has(req)) throw failures.get(req);
}
