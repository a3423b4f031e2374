import type { IncomingMessage, ServerResponse } from "node:http";
import { FrontRequest } from "@/bin/front-request";
import type { Otherwise } from "@/bin/front";
import { AppError } from "@/lib/errors";
import { toProblem } from "@/lib/http/problem";
import { newRequestId } from "@/lib/http/request-id";

/** The methods that a web-standard request can have here. Next answers 500 to `TRACE`, and serves a page to what it does not know. */
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
/** Where programs ask: they read a problem document (docs/reference/http.md), not a page. */
const API = /^\/api(?:[/?]|$)/;

/**
 * What Next refuses by itself below /api/, before a route of ours sees it, in our words: it says an address that it does not
 * know by a page, a method that a route does not have by nothing, and 500 to a path that cannot be decoded.
 */
export function worded(next: Otherwise): Otherwise {
  return async (incoming, outgoing) => {
    const { method = "", url = "" } = incoming;
    if (!METHODS.includes(method)) throw notAllowed(method);
    if (API.test(url)) {
      if (!isDecodable(url)) throw new AppError("not_found", "The path is not valid percent-encoded UTF-8.");
      wordRefusals(incoming, outgoing);
    }
    await next(incoming, outgoing);
  };
}

function notAllowed(method: string): AppError {
  return new AppError("method_not_allowed", `There is no ${method} at this address.`);
}

function isDecodable(target: string): boolean {
  try {
    return decodeURIComponent(target.split("?", 1)[0] ?? "") !== "";
  } catch {
    return false;
  }
}

/**
 * Puts a problem document in the place of the page, or of the nothing, by which Next says 404 and 405. Next sets the status and
 * each header by themselves, and then flushes, writes or ends: whichever comes first decides.
 */
function wordRefusals(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { writeHead, write, end } = outgoing as unknown as Record<Written, (...args: unknown[]) => unknown>;
  let decided = false;
  let instead: string | null = null;
  const decide = (): string | null => {
    if (!decided && !outgoing.headersSent) instead = problemInstead(incoming, outgoing);
    decided = true;
    return instead;
  };
  const overrides: Record<Written, (...args: unknown[]) => unknown> = {
    writeHead: (status, ...rest) => {
      outgoing.statusCode = Number(status);
      if (rest.length === 0) decide();
      return writeHead.call(outgoing, status, ...rest);
    },
    write: (...args) => decide() !== null || write.apply(outgoing, args),
    end: (...args) => end.apply(outgoing, decide() === null ? args : [instead]),
  };
  Object.assign(outgoing, overrides);
}

type Written = "writeHead" | "write" | "end";

/** The text to be sent instead, its headers set; `null` = the answer is one of a route of ours, which its type says. */
function problemInstead(incoming: IncomingMessage, outgoing: ServerResponse): string | null {
  const refused = refusalOf(outgoing.statusCode, incoming.method ?? "");
  if (refused === null || String(outgoing.getHeader("content-type")).startsWith("application/")) return null;
  const { headers, body } = toProblem(refused, newRequestId(new FrontRequest(incoming, outgoing)));
  for (const name of ["content-encoding", "etag", "link"]) outgoing.removeHeader(name);
  for (const [name, value] of headers) outgoing.setHeader(name, value);
  const text = String(body);
  outgoing.setHeader("content-length", Buffer.byteLength(text));
  return text;
}

function refusalOf(status: number, method: string): AppError | null {
  if (status === 404) return new AppError("not_found", "There is nothing at this address.");
  return status === 405 ? notAllowed(method) : null;
}
