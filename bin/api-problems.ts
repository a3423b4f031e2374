import type { IncomingMessage } from "node:http";
import { AppError } from "@/lib/errors";
import { plainPath } from "@/lib/http/agent-paths";

/** The methods that a web-standard request can have here. Next answers 500 to `TRACE`, and serves a page to what it does not know. */
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
/** Where programs ask: they read a problem document (docs/reference/http.md), not a page. */
const API = /^\/api(?:[/?]|$)/;

/** Refuses what the app cannot answer properly. @throws AppError */
export function refuseUnknownMethods({ method = "", url = "" }: IncomingMessage): void {
  if (!METHODS.includes(method)) throw notAllowed(method);
  if (API.test(url) && plainPath(url) === null)
    throw new AppError("not_found", "The path is not valid percent-encoded UTF-8.");
}

/**
 * What is to be said instead of an answer by which Next itself refuses something below /api/: it says 404 by a page, 405 by
 * nothing and 500 by a plain text. `null` = the answer is one of a route of ours, which its type says.
 */
export function problemInstead(incoming: IncomingMessage, answer: IncomingMessage): AppError | null {
  if (!API.test(incoming.url ?? "") || String(answer.headers["content-type"]).startsWith("application/")) return null;
  if (answer.statusCode === 404) return new AppError("not_found", "There is nothing at this address.");
  if (answer.statusCode === 405) return notAllowed(incoming.method ?? "");
  return answer.statusCode === 500 ? new AppError("internal", "Something failed on our side.") : null;
}

function notAllowed(method: string): AppError {
  return new AppError("method_not_allowed", `There is no ${method} at this address.`);
}
