import type { IncomingMessage } from "node:http";
import type { RequestHandler } from "@/lib/server/front/front";
import { FrontRequest } from "@/lib/server/front/front-request";
import { AppError } from "@/lib/errors";
import { plainPath } from "@/lib/http/agent-paths";
import { MAX_BODY_BYTES } from "@/lib/http/body";
import { MAX_DOCUMENT_BYTES } from "@/lib/contracts/sources/import-job";
import type { Permission } from "@/lib/resources/permissions";

/** The largest body outside the admin API: a sign-in form. */
const MAX_PUBLIC_BYTES = 16 * 1024;
/** A refused body up to this size is read to its end, so that the connection can be used again. */
const MAX_DRAINED_BYTES = 64 * 1024;
const LINGER_MS = 1_000;
/** The most bytes of all bodies that are on their way to the app, which holds them in memory. */
const MAX_IN_FLIGHT = 128 * 1024 * 1024;

/** The two routes that take a document, each with the method that sends it. */
const DOCUMENTS: ReadonlyMap<string, string> = new Map([
  ["/api/admin/imports", "POST"],
  ["/api/admin/config", "PUT"],
]);

/** Checks from the headers alone that the sender has the permission. @throws AppError */
type Authorize = (request: Request, permission: Permission) => Promise<unknown>;

/**
 * Bounds the bodies of requests to the app before they are forwarded, because Next buffers a body before a route checks
 * its sender. A body for the admin API stays in the socket until its sender is known. Sign-in and pages take 16 KiB from
 * everybody.
 */
export function gateBodies(next: RequestHandler, authorize: () => Promise<Authorize>): RequestHandler {
  let inFlight = 0;
  const admit: RequestHandler = async (incoming, outgoing) => {
    const path = plainPath(incoming.url ?? "") ?? "";
    const isDocument = DOCUMENTS.get(path) === incoming.method;
    const isAdmin = path === "/api/admin" || path.startsWith("/api/admin/");
    const maxBytes = isDocument ? MAX_DOCUMENT_BYTES : isAdmin ? MAX_BODY_BYTES : MAX_PUBLIC_BYTES;
    cutAfter(incoming, maxBytes + 1);
    const permission = isDocument ? "configuration:write" : "configuration:read";
    if (isAdmin) await (await authorize())(new FrontRequest(incoming, outgoing), permission);
    // The client may be gone by now: no `close` event would then release the reservation.
    if (outgoing.destroyed) return;
    const declared = Number(incoming.headers["content-length"] ?? Infinity);
    if (declared > maxBytes && declared !== Infinity)
      throw new AppError("payload_too_large", `The body is larger than ${maxBytes} bytes.`);
    const reserved = Math.min(declared, maxBytes);
    if (inFlight + reserved > MAX_IN_FLIGHT)
      throw new AppError("overloaded", "The server is receiving too many large bodies: try again in a moment.", {
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
 * Stops reading a refused body, and closes the connection a second later. Node would read the whole body to reuse the
 * connection. Closing at once would lose the answer.
 */
function leaveUnread(incoming: IncomingMessage): void {
  if (Number(incoming.headers["content-length"] ?? Infinity) <= MAX_DRAINED_BYTES) return;
  // Node discards only a body that nobody has begun to read. This one fills its buffer, and then pauses the socket.
  incoming.read(0);
  setTimeout(() => incoming.socket.destroy(), LINGER_MS).unref();
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) !== 0;
}

/**
 * Passes on at most `maxBytes` bytes of a body and drops the rest as it arrives. A body without a length then exceeds its
 * route's limit by one byte, and the route refuses it. Replaces `push`, which Node's parser calls with each part.
 */
function cutAfter(incoming: IncomingMessage, maxBytes: number): void {
  const push = incoming.push.bind(incoming);
  let left = maxBytes;
  incoming.push = (chunk: Buffer | null, encoding?: BufferEncoding): boolean => {
    if (chunk === null) return push(null);
    const part = chunk.subarray(0, left);
    left -= part.byteLength;
    return part.byteLength === 0 || push(part, encoding);
  };
}
