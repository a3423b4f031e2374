import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { requireUrl } from "@/lib/outbound/fetch";

/**
 * An address that a caller wants to be called back at: below one of the origins that its agent may use, and https, or
 * what OUTBOUND_ALLOW names as well. Where its host leads is checked when it is connected to.
 *
 * @throws AppError `invalid_request` naming `path`
 */
export function requireCallbackUrl(text: string, path: string, origins: readonly string[]): string {
  const url = withoutPassword(text, path);
  if (origins.length === 0)
    throw refused(path, "no callback is allowed: an administrator lists origins in `callbackOrigins` of your agent");
  if (!origins.includes(url.origin))
    throw refused(path, `${url.origin} is not in \`callbackOrigins\` of your agent: an administrator can add it`);
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  const isAllowed = env.OUTBOUND_ALLOW.some((entry) => entry.toLowerCase() === `${url.hostname}:${port}`);
  if (url.protocol !== "https:" && !isAllowed) throw refused(path, "use an https address");
  return url.href;
}

function withoutPassword(text: string, path: string): URL {
  try {
    return requireUrl(text);
  } catch {
    throw refused(path, "use an https address without a user name or password");
  }
}

function refused(path: string, message: string): AppError {
  return new AppError("invalid_request", "The call's end cannot be told there.", { errors: [{ path, message }] });
}
