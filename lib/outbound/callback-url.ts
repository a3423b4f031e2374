import { AppError } from "@/lib/errors";
import { requireUrl } from "@/lib/outbound/fetch";
import { isOutboundAllowed } from "@/lib/env";

/**
 * Checks a callback address: it must have one of the agent's allowed origins, and use https or an entry of
 * OUTBOUND_ALLOW. The connector checks the host's address when it connects.
 * @throws AppError `invalid_request` naming `path`
 */
export function requireCallbackUrl(text: string, path: string, origins: readonly string[]): string {
  const url = withoutPassword(text, path);
  if (origins.length === 0)
    throw refused(path, "no callback is allowed: an administrator lists origins in `callbackOrigins` of your agent");
  if (!origins.includes(url.origin))
    throw refused(path, `${url.origin} is not in \`callbackOrigins\` of your agent: an administrator can add it`);
  if (url.protocol !== "https:" && !isOutboundAllowed(url)) throw refused(path, "use an https address");
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
  return new AppError("invalid_request", "The callback address is refused.", { errors: [{ path, message }] });
}
