import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { sendNodeResponse } from "srvx/node";
import { withTimeout } from "@/lib/process/timeout";
import { capConnections } from "@/lib/server/front/cap-connections";
import { directPeer, trustForwarded } from "@/lib/server/front/forwarded";
import { FrontRequest } from "@/lib/server/front/front-request";
import { answerParserErrors } from "@/lib/server/front/answer-parser-errors";
import type { FindRoute, Found, Methods } from "@/lib/server/routes";
import { env, isServedOverTls } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { isAgentPath, pathOf } from "@/lib/http/agent-paths";
import { toProblem } from "@/lib/http/problem";
import { Reply } from "@/lib/http/reply";
import { newRequestId } from "@/lib/http/request-id";
import { log } from "@/lib/telemetry/log";

/**
 * Milliseconds: headers must arrive within 10 s, the body within 30 s (docs/reference/promises.md#limits-on-input). A slower
 * client gets a 408; Node's defaults would let one byte a minute hold a connection for five minutes.
 */
const INPUT_LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 5_000,
};
/** Makes browsers use only TLS for a year. */
const HSTS = "max-age=31536000";
/** Milliseconds that requests in flight have to finish at a stop (docs/reference/promises.md#restart). */
export const DRAIN_MS = 30_000;

/** Answers one request. */
export type RequestHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

/** Limits of one server that differ from the defaults. */
type FrontLimits = Partial<typeof INPUT_LIMITS> & { readonly connectionsPerAddress?: number };

/** A `node:http` server that serves the routes which `find` knows, and passes all other requests to `fallback`. */
export function createFront(
  find: FindRoute,
  fallback: RequestHandler,
  { connectionsPerAddress, ...limits }: FrontLimits = {},
): Server {
  const isPublicOverTls = isServedOverTls();
  const last = new WeakMap<Duplex, ServerResponse>();
  const present = new Set<ServerResponse>();
  // A request without a host is refused here, because Node's own refusal has no problem document.
  const server = createServer({ ...INPUT_LIMITS, requireHostHeader: false, ...limits }, (incoming, outgoing) => {
    last.set(incoming.socket, outgoing);
    // Requests that a client sends ahead (RFC 9112, 9.3.2) are handled one after the other: an answer that has no connection
    // yet never hears that it closes, so what the request holds would stay held.
    if (outgoing.socket === null) outgoing.once("socket", () => handle(incoming, outgoing));
    else handle(incoming, outgoing);
  });
  const handle = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    present.add(outgoing);
    outgoing.once("close", () => present.delete(outgoing));
    if (!server.listening) outgoing.shouldKeepAlive = false;
    if (incoming.headers.host === undefined && incoming.httpVersion === "1.1") {
      outgoing.shouldKeepAlive = false;
      return refuse(new AppError("invalid_request", "The header `Host` is missing."), incoming, outgoing);
    }
    if (isPublicOverTls) outgoing.setHeader("strict-transport-security", HSTS);
    const peer = directPeer(incoming);
    trustForwarded(incoming);
    const path = pathOf(incoming.url ?? "/");
    const found = find(path);
    // An agents' path that is in no table, or is oddly written, is never forwarded: agents read a problem document.
    const answered =
      found !== null
        ? serve(found, peer, incoming, outgoing)
        : isAgentPath(path)
          ? answerNotFound(incoming, outgoing)
          : fallback(incoming, outgoing);
    answered.catch((error: unknown) => refuse(error, incoming, outgoing));
  };
  const unmet = "Only `Expect: 100-continue` is supported: omit any other.";
  server.on("checkExpectation", (incoming: IncomingMessage, outgoing: ServerResponse) =>
    refuse(new AppError("expectation_failed", unmet), incoming, outgoing),
  );
  presentAnswers.set(server, present);
  answerParserErrors(server, last);
  // Behind trusted proxies every connection has the address of a proxy, so the cap is off.
  capConnections(server, connectionsPerAddress ?? (env.TRUST_PROXY > 0 ? Infinity : env.CONNECTIONS_PER_ADDRESS));
  return server;
}

/** The answers that each server has not ended. */
const presentAnswers = new WeakMap<Server, ReadonlySet<ServerResponse>>();

/** A gateway without an app answers 404 to unknown addresses. */
export const answerNotFound: RequestHandler = async (incoming, outgoing) =>
  refuse(new AppError("not_found", "There is nothing at this address."), incoming, outgoing);

/** Stops new connections, lets requests in flight and `besides` finish within `within` milliseconds, then closes the rest. */
export async function drain(server: Server, within: number, besides = Promise.resolve()): Promise<void> {
  const closed = once(server, "close");
  server.close();
  // Each connection closes after its present answer: a client that wants another one connects to another process.
  for (const outgoing of presentAnswers.get(server) ?? []) {
    const { socket } = outgoing;
    if (outgoing.headersSent) outgoing.once("finish", () => socket?.end());
    else outgoing.shouldKeepAlive = false;
  }
  const settled = besides.catch((error: unknown) => {
    log.warn({ err: error }, "The background work did not end; requests still finish.");
  });
  await withTimeout(Promise.all([closed, settled]), within, null);
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
  const lines: string[] = [];
  for (const [name, value] of headers) lines.push(name, value);
  outgoing.writeHead(status, lines);
  if (body === null) outgoing.end();
  else outgoing.end(body);
}

/** Answers an error by a problem document with public text only. A failure ends only this answer. */
function refuse(why: unknown, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const problem = toProblem(why, newRequestId(new FrontRequest(incoming, outgoing)));
  if (outgoing.headersSent) outgoing.destroy();
  else sendWhole(problem, outgoing);
}
