import { cookieValue } from "@/lib/auth/people/session";
import { AppError } from "@/lib/errors";
import { requestCookieName } from "@/lib/store/oauth/connection-requests";

/** Whether a client's request to connect began in this browser. A link that somebody else sent has no such cookie. */
export function beganHere(cookies: string | null, id: string): boolean {
  return cookieValue(cookies ?? "", requestCookieName(id)) === id;
}

/** @throws AppError `forbidden` when the request began in another browser */
export function requireBeganHere(request: Request, id: string): void {
  if (!beganHere(request.headers.get("cookie"), id))
    throw new AppError("forbidden", "This request began in another browser: start again in your client.");
}
