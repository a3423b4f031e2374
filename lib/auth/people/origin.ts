import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);
const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Refuses a mutation that another site could have made this browser send: with a cookie, `Origin` is
 * required and must be our own (docs/reference/promises.md#sign-in). Reading methods pass.
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
 * Refuses a read that another site made this browser send with its cookie: some write audit events in the person's name.
 * Browsers state where a request comes from (`Sec-Fetch-Site`); `none` is a typed address or a bookmark.
 *
 * @throws AppError `forbidden`
 */
export function requireOwnSite(request: Request): void {
  const site = request.headers.get("sec-fetch-site");
  if (site === null || site === "same-origin" || site === "none") return;
  throw new AppError("forbidden", "Requests that another site starts are refused.");
}

/** The names of this very machine are one origin; everything else must be equal. */
function isOwn(text: string): boolean {
  const own = ownOrigin();
  if (text === own.origin) return true;
  if (!URL.canParse(text)) return false;
  const given = new URL(text);
  return (
    given.origin === text &&
    LOOPBACK.has(own.hostname) &&
    LOOPBACK.has(given.hostname) &&
    given.port === own.port &&
    given.protocol === own.protocol
  );
}

function ownOrigin(): URL {
  return new URL(env.NEXTAUTH_URL);
}
