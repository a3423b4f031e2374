import { LOOPBACK_HOSTS } from "@/lib/access/model/addresses";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";

const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Refuses a change that another site may have sent through this browser. With a cookie, a matching `Origin` is required
 * (docs/reference/promises.md#sign-in). Safe methods pass.
 *
 * @throws AppError `forbidden`
 */
export function requireOwnOrigin(request: Request): void {
  if (SAFE.has(request.method)) return;
  const origin = request.headers.get("origin");
  if (origin === null) throw new AppError("forbidden", "A change made with a session cookie needs an `Origin` header.");
  if (!isOwn(origin))
    throw new AppError("forbidden", `Requests from this origin are refused: open the app at ${ownOrigin().origin}.`);
}

/**
 * Refuses a read that another site sends through this browser, because some reads write audit events in the person's
 * name. Browsers state the source in `Sec-Fetch-Site`; `none` means a typed address or a bookmark.
 *
 * @throws AppError `forbidden`
 */
export function requireOwnSite(request: Request): void {
  const site = request.headers.get("sec-fetch-site");
  if (site === null || site === "same-origin" || site === "none") return;
  throw new AppError("forbidden", "Requests from other sites are refused.");
}

/** All loopback names count as one origin. Any other origin must be equal. */
function isOwn(text: string): boolean {
  const own = ownOrigin();
  if (text === own.origin) return true;
  if (!URL.canParse(text)) return false;
  const given = new URL(text);
  return (
    given.origin === text &&
    LOOPBACK_HOSTS.includes(own.hostname) &&
    LOOPBACK_HOSTS.includes(given.hostname) &&
    given.port === own.port &&
    given.protocol === own.protocol
  );
}

function ownOrigin(): URL {
  return new URL(env.NEXTAUTH_URL);
}
