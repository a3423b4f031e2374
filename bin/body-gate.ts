import type { IncomingMessage } from "node:http";
import type { Otherwise } from "@/bin/front";
import { FrontRequest } from "@/bin/front-request";
import { AppError } from "@/lib/errors";
import { plainPath } from "@/lib/http/agent-paths";
import { MAX_BODY_BYTES } from "@/lib/http/body";
import { MOST_DOCUMENT_BYTES } from "@/lib/contracts/sources/import-job";
import type { Permission } from "@/lib/resources/permissions";

/** Bytes that somebody who is not signed in may send: a sign-in form. */
const STRANGER_BYTES = 16 * 1024;
/** A refused body up to this size is read to its end, so that the connection can be used again. */
const SMALL_BYTES = 64 * 1024;
const LINGER_MS = 1_000;
/** Bytes of all bodies together that are on their way to the app, which holds them in memory. */
const MOST_IN_FLIGHT = 128 * 1024 * 1024;

/** The two routes that take a document, and what writes it. */
const DOCUMENTS: ReadonlyMap<string, string> = new Map([
  ["/api/admin/imports", "POST"],
  ["/api/admin/config", "PUT"],
]);

/** Refuses a request of somebody who lacks the permission, by its headers alone. @throws AppError */
export type Authorize = (request: Request, permission: Permission) => Promise<unknown>;

/**
 * Bounds the bodies of what the app serves, before any of it is forwarded: Next buffers a body before a route has asked who
 * sends it. A body for the admin API waits in the socket until its sender is known. Sign-in and pages take 16 KiB of anybody.
 */
export function gateBodies(next: Otherwise, authorize: () => Promise<Authorize>): Otherwise {
  let inFlight = 0;
  const admit: Otherwise = async (incoming, outgoing) => {
    const path = plainPath(incoming.url ?? "") ?? "";
    const isDocument = DOCUMENTS.get(path) === incoming.method;
    const isAdmin = path === "/api/admin" || path.startsWith("/api/admin/");
    const most = isDocument ? MOST_DOCUMENT_BYTES : isAdmin ? MAX_BODY_BYTES : STRANGER_BYTES;
    cutAfter(incoming, most + 1);
    const permission = isDocument ? "configuration:write" : "configuration:read";
    if (isAdmin) await (await authorize())(new FrontRequest(incoming, outgoing), permission);
    const declared = Number(incoming.headers["content-length"] ?? Infinity);
    if (declared > most && declared !== Infinity)
      throw new AppError("payload_too_large", `The body is larger than ${most} bytes.`);
    const reserved = Math.min(declared, most);
    if (inFlight + reserved > MOST_IN_FLIGHT)
      throw new AppError("overloaded", "Other large bodies are being sent: try again in a moment.", {
        headers: { "retry-after": "5" },
      });
    inFlight += reserved;
    outgoing.once("close", () => (inFlight -= reserved));
  };
  return async (incoming, outgoing) => {
    if (hasBody(incoming))
      await admit(incoming, outgoing).catch((error: unknown) => {
        leaveUnread(incoming);
        throw error;
      });
    return next(incoming, outgoing);
  };
}

/**
 * Reads no more of a refused body than is in the buffer, and ends its connection a second after the answer. Node would read
 * all of it to use the connection again; a connection closed at once takes the answer with it.
 */
function leaveUnread(incoming: IncomingMessage): void {
  if (Number(incoming.headers["content-length"] ?? Infinity) <= SMALL_BYTES) return;
  // Tells Node that somebody reads: what nobody takes holds the socket back.
  incoming.read(0);
  setTimeout(() => incoming.socket.destroy(), LINGER_MS).unref();
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) !== 0;
}

/**
 * Hands on at most so many bytes of a body and drops the rest as it comes: a body without a length is then one byte
 * larger than its route takes, which the route refuses. Node's parser hands each part to `push`.
 */
function cutAfter(incoming: IncomingMessage, most: number): void {
  const push = incoming.push.bind(incoming);
  let left = most;
  incoming.push = (chunk: Buffer | null, encoding?: BufferEncoding): boolean => {
    if (chunk === null) return push(null);
    const part = chunk.subarray(0, left);
    left -= part.byteLength;
    return part.byteLength === 0 || push(part, encoding);
  };
}
