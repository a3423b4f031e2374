import type { IncomingMessage } from "node:http";
import { AppError } from "@/lib/errors";
import { pathOf, plainPath } from "@/lib/http/agent-paths";

/** Methods that a route can have. Next answers 500 to `TRACE` and serves a page to an unknown method. */
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
/** Paths for programs: their errors are problem documents (docs/reference/http.md), not pages. */
const API = /^\/api(?:\/|$)/;

/** Refuses what Next answers wrongly: an unknown method, and a path below /api/ that cannot be decoded. @throws AppError */
export function refuseMalformed({ method = "", url = "" }: IncomingMessage): void {
  if (!METHODS.includes(method)) throw notAllowed(method, METHODS.join(", "));
  if (API.test(pathOf(url)) && plainPath(url) === null)
    throw new AppError("not_found", "The path is not valid percent-encoded UTF-8.");
}

/**
 * The problem that replaces Next's own refusal below /api/: Next answers 404 with a page, 405 with an empty body and 500
 * with plain text. `null` = one of our routes answered; its content type shows that.
 *
 * @param allowed reads the methods of the address, as `Allow` lists them
 */
export async function problemInstead(
  incoming: IncomingMessage,
  answer: IncomingMessage,
  allowed: () => Promise<string | null>,
): Promise<AppError | null> {
  if (!API.test(pathOf(incoming.url ?? "")) || String(answer.headers["content-type"]).startsWith("application/"))
    return null;
  if (answer.statusCode === 404) return new AppError("not_found", "There is nothing at this address.");
  if (answer.statusCode === 405) return notAllowed(incoming.method ?? "", (await allowed()) ?? "");
  return answer.statusCode === 500 ? new AppError("internal", "The server failed.") : null;
}

/** RFC 9110, 15.5.6 demands `Allow`. */
function notAllowed(method: string, allow: string): AppError {
  return new AppError("method_not_allowed", `There is no ${method} at this address.`, { headers: { allow } });
}
