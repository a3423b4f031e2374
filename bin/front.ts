import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { sendNodeResponse } from "srvx/node";
import { capConnections } from "@/bin/cap-connections";
import { directPeer, trustForwarded } from "@/bin/forwarded";
import { FrontRequest } from "@/bin/front-request";
import { refuseBytes } from "@/bin/refuse-bytes";
import type { FindRoute, Found, Methods } from "@/lib/server/routes";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { isAgentPath, pathOf } from "@/lib/http/agent-paths";
import { toProblem } from "@/lib/http/problem";
import { Reply } from "@/lib/http/reply";
import { newRequestId } from "@/lib/http/request-id";

/**
 * Milliseconds: headers must be there within 10 s, the body within 30 s (docs/reference/promises.md#limits-on-input). Whoever is slower gets
 * a 408; Node's own defaults would let one byte a minute hold a connection for five.
 */
const INPUT_LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 5_000,
};
/** Tells browsers for a year to come back over TLS only. */
const HSTS = "max-age=31536000";
/** Milliseconds that requests in flight have to end in (docs/reference/promises.md#restart). */
export const DRAIN_MS = 30_000;

/** Answers what is in no table of the front's. */
export type Otherwise = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

/** Limits of one server, where they are other than usual. */
type FrontLimits = Partial<typeof INPUT_LIMITS> & { readonly connectionsPerAddress?: number };

/** A `node:http` server that serves the routes of a table itself and hands everything else on. */
export function createFront(
  find: FindRoute,
  otherwise: Otherwise,
  { connectionsPerAddress, ...limits }: FrontLimits = {},
): Server {
  const isPublicOverTls = env.NEXTAUTH_URL.startsWith("https:");
  const last = new WeakMap<Duplex, ServerResponse>();
  // Who sends no host is refused here: Node's own refusal says nothing.
  const server = createServer({ ...INPUT_LIMITS, requireHostHeader: false, ...limits }, (incoming, outgoing) => {
    last.set(incoming.socket, outgoing);
    if (incoming.headers.host === undefined && incoming.httpVersion === "1.1") {
      outgoing.shouldKeepAlive = false;
      return refuse(new AppError("invalid_request", "The header `Host` is missing."), incoming, outgoing);
    }
    if (isPublicOverTls) outgoing.setHeader("strict-transport-security", HSTS);
    const peer = directPeer(incoming);
    trustForwarded(incoming);
    const path = pathOf(incoming.url ?? "/");
    const found = find(path);
    // An agents' path that is in no table, or is written oddly, reaches nothing else: agents read a problem document.
    const answered =
      found !== null
        ? serve(found, peer, incoming, outgoing)
        : isAgentPath(path)
          ? nothingElse(incoming, outgoing)
          : otherwise(incoming, outgoing);
    answered.catch((error: unknown) => refuse(error, incoming, outgoing));
  });
  const unmet = "Only `Expect: 100-continue` is met here: leave any other out.";
  server.on("checkExpectation", (incoming: IncomingMessage, outgoing: ServerResponse) =>
    refuse(new AppError("expectation_failed", unmet), incoming, outgoing),
  );
  refuseBytes(server, last);
  // Behind proxies of ours every connection comes from one of them.
  capConnections(server, connectionsPerAddress ?? (env.TRUST_PROXY > 0 ? Infinity : env.CONNECTIONS_PER_ADDRESS));
  return server;
}

/** What a gateway without an app says of an address that it does not know. */
export const nothingElse: Otherwise = async (incoming, outgoing) =>
  refuse(new AppError("not_found", "There is nothing at this address."), incoming, outgoing);

/** Takes no new connections, lets requests in flight and `besides` end for so many milliseconds, and closes what is left. */
export async function drain(server: Server, within: number, besides = Promise.resolve()): Promise<void> {
  const closed = once(server, "close");
  server.close();
  // A connection is done with the answer that it is waiting for.
  server.keepAliveTimeout = 1;
  await Promise.race([Promise.all([closed, besides]), delay(within, undefined, { ref: false })]);
  server.closeAllConnections();
  await closed;
}

async function serve(
  { methods, params }: Found,
  peer: string | undefined,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const request = new FrontRequest(incoming, outgoing);
  const method = request.method === "HEAD" ? "GET" : request.method;
  const handler = Object.hasOwn(methods, method) ? methods[method as keyof Methods] : undefined;
  if (handler === undefined) {
    const allow = ["OPTIONS", ...("GET" in methods ? ["HEAD"] : []), ...Object.keys(methods)].join(", ");
    if (method !== "OPTIONS") throw new AppError("method_not_allowed", `Use one of ${allow}.`, { headers: { allow } });
    outgoing.writeHead(204, { allow, "x-request-id": newRequestId(request) }).end();
    return;
  }
  const context = { params: Promise.resolve(params), peer };
  const answer = await (handler.answer ?? handler)(request, context);
  if (answer instanceof Reply) sendWhole(answer, outgoing);
  else await sendNodeResponse(outgoing, answer);
}

function sendWhole({ body, status, headers }: Reply, outgoing: ServerResponse): void {
  if (body !== null) headers.set("content-length", String(Buffer.byteLength(body)));
  outgoing.writeHead(status, [...headers].flat());
  if (body === null) outgoing.end();
  else outgoing.end(body);
}

/** Nobody is told more than an error's own words, and nothing ends but this answer. */
function refuse(why: unknown, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const problem = toProblem(why, newRequestId(new FrontRequest(incoming, outgoing)));
  if (outgoing.headersSent) outgoing.destroy();
  else sendWhole(problem, outgoing);
}
