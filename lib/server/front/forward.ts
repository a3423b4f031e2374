import { Agent, request as send, type ClientRequest, type IncomingMessage, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream";
import { problemInstead, refuseMalformed } from "@/lib/server/front/api-problems";
import { FORWARDED } from "@/lib/server/front/forwarded";
import type { RequestHandler } from "@/lib/server/front/front";
import { AppError } from "@/lib/errors";
import { pathOf, plainPath, splitTarget } from "@/lib/http/agent-paths";
import { GATEWAY_OWN_HEADER, GATEWAY_SECRET_HEADER } from "@/lib/http/gateway-secret";

/** The app's port, and the secret by which the app recognises the gateway. */
export interface AppAddress {
  readonly port: number;
  readonly secret: string;
}

/** Milliseconds that an idle connection to the app is kept: shorter than the app keeps it, so that none is used while it closes. */
const IDLE_MS = 4_000;
/** Milliseconds that the app has to accept a connection. */
const CONNECT_MS = 5_000;
/** Headers of one connection (RFC 9110, section 7.6.1), and headers that the gateway writes itself. */
const NOT_PASSED_ON: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "upgrade",
  "expect",
  GATEWAY_SECRET_HEADER,
  GATEWAY_OWN_HEADER,
  "x-forwarded-for",
  ...FORWARDED,
]);
/** Headers that say where a request ends and whom it is for. A sender must not name one in `Connection` (RFC 9110, section 7.6.1). */
const FRAMING: ReadonlySet<string> = new Set(["content-length", "transfer-encoding", "host"]);
const OF_A_CONNECTION: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
]);
/** The page that browsers get while the app starts; it reloads itself. */
const STARTING_PAGE =
  '<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="2"><title>Starting</title>' +
  "<p>Quartermaster is starting. This page reloads by itself.</p></html>";

/**
 * Forwards requests to the app and streams bodies in both directions. Never sends a request twice. Answers 503 without
 * an app, or when the app breaks off before its answer.
 */
export function forwardTo(app: () => AppAddress | null): RequestHandler {
  const agent = new Agent({ keepAlive: true, timeout: IDLE_MS });
  return async (incoming, outgoing) => {
    refuseMalformed(incoming);
    refuseNamedFraming(incoming);
    const to = app();
    if (to === null) return unavailable(incoming, outgoing);
    const request = send({ ...target(incoming, to), agent });
    const answer = await answerOf(request, incoming, outgoing).catch((error: unknown) => {
      if (outgoing.destroyed) return null;
      throw error;
    });
    if (answer === null) return;
    if (answer === "unavailable") return unavailable(incoming, outgoing);
    const problem = await problemInstead(incoming, answer, () => allowedAt(incoming, to));
    if (problem !== null) {
      answer.resume();
      throw problem;
    }
    outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage, headersOfAnswer(answer));
    outgoing.flushHeaders();
    // When the answer breaks off, this answer does too; when the client leaves, the app's request ends.
    pipeline(answer, outgoing, () => {});
  };
}

/** Connects two sockets after an upgrade. Only development has such connections: Next reports changes to its pages. */
export function forwardUpgrades(
  app: () => AppAddress | null,
): (incoming: IncomingMessage, socket: Duplex, head: Buffer) => void {
  return (incoming, socket, head) => {
    const to = app();
    socket.on("error", () => {});
    if (to === null || !incoming.url?.startsWith("/_next/")) return void socket.destroy();
    const options = target(incoming, to);
    options.headers.push("Connection", "Upgrade", "Upgrade", String(incoming.headers.upgrade));
    const request = send({ ...options, agent: false });
    request.on("error", () => socket.destroy());
    request.on("response", () => socket.destroy());
    request.on("upgrade", (answer: IncomingMessage, other: Duplex, first: Buffer) => {
      const lines = pairs(answer.rawHeaders).map(([name, value]) => `${name}: ${value}`);
      socket.write(["HTTP/1.1 101 Switching Protocols", ...lines, "", ""].join("\r\n"));
      socket.write(first);
      other.write(head);
      for (const [from, into] of [
        [socket, other],
        [other, socket],
      ] as const)
        pipeline(from, into, () => {});
    });
    request.end();
  };
}

function target(incoming: IncomingMessage, { port, secret }: AppAddress) {
  const { method = "GET", url = "/" } = incoming;
  const { path, search } = splitTarget(url);
  return { host: "127.0.0.1", port, method, path: decodable(path) + search, headers: headersFor(incoming, secret) };
}

/** Next answers 500 to a path that cannot be decoded. With each `%` encoded, it is the address of a missing page. */
function decodable(path: string): string {
  return plainPath(path) === null ? path.replaceAll("%", "%25") : path;
}

/** The methods of an address. Next states them only in its answer to OPTIONS, not in its 405. */
function allowedAt(incoming: IncomingMessage, to: AppAddress): Promise<string | null> {
  const { host, port, path } = target(incoming, to);
  const headers = { [GATEWAY_SECRET_HEADER]: to.secret };
  return new Promise((resolve) => {
    const request = send({ host, port, path, method: "OPTIONS", headers, agent: false, timeout: CONNECT_MS });
    request.on("response", (answer: IncomingMessage) => {
      answer.resume();
      resolve(answer.headers.allow ?? null);
    });
    request.on("timeout", () => request.destroy());
    request.on("error", () => resolve(null));
    request.on("close", () => resolve(null));
    request.end();
  });
}

/**
 * Refuses a `Connection` that names the body's length or the host. Without its length the body of a GET would be the next
 * request on the connection to the app, which all people share.
 *
 * @throws AppError `invalid_request`
 */
function refuseNamedFraming(incoming: IncomingMessage): void {
  const named = namedInConnection(incoming).find((name) => FRAMING.has(name));
  if (named !== undefined)
    throw new AppError("invalid_request", `The header \`Connection\` must not name \`${named}\`.`);
}

function namedInConnection({ headers }: IncomingMessage): readonly string[] {
  return String(headers.connection ?? "")
    .toLowerCase()
    .split(/[\s,]+/);
}

/** The client's headers as written, without those of its connection and those that it may not set. */
function headersFor(incoming: IncomingMessage, secret: string): string[] {
  const named = namedInConnection(incoming);
  const passedOn = pairs(incoming.rawHeaders).filter(([name]) => {
    const lower = name.toLowerCase();
    return !NOT_PASSED_ON.has(lower) && (FRAMING.has(lower) || !named.includes(lower));
  });
  // These come from trusted proxies: the front has removed all others (lib/server/front/forwarded.ts).
  const forwarded = ["x-forwarded-for", ...FORWARDED].flatMap((name): [string, string][] => {
    const value = incoming.headers[name];
    return value === undefined ? [] : [[name, String(value)]];
  });
  const headers = [...passedOn, ...forwarded, [GATEWAY_SECRET_HEADER, secret] as const].flat();
  const { "content-length": length, "transfer-encoding": encoding, host } = incoming.headers;
  if (length === undefined && encoding === undefined) headers.push("content-length", "0");
  if (host === undefined) headers.push("host", "127.0.0.1");
  return headers;
}

function headersOfAnswer({ rawHeaders }: IncomingMessage): string[] {
  return pairs(rawHeaders)
    .filter(([name]) => !OF_A_CONNECTION.has(name.toLowerCase()))
    .flat();
}

function pairs(raw: readonly string[]): [name: string, value: string][] {
  return raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ""] as [string, string]] : []));
}

/** Sends the body and waits for the answer's headers; `null` = the client has left. */
function answerOf(
  request: ClientRequest,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<IncomingMessage | "unavailable" | null> {
  return new Promise((resolve) => {
    const connecting = setTimeout(() => request.destroy(), CONNECT_MS);
    request.once("socket", (socket) => {
      if (socket.connecting) socket.once("connect", () => clearTimeout(connecting));
      else clearTimeout(connecting);
    });
    request.once("response", (answer: IncomingMessage) => resolve(answer));
    request.once("close", () => {
      clearTimeout(connecting);
      // After an answer this has no effect.
      resolve(outgoing.destroyed ? null : "unavailable");
    });
    request.on("error", () => {});
    outgoing.once("close", () => {
      if (!outgoing.writableFinished) request.destroy();
    });
    incoming.pipe(request);
    incoming.once("close", () => {
      if (!incoming.readableEnded && !outgoing.writableFinished) request.destroy();
    });
  });
}

/** Answers 503: browsers get a page that reloads itself, programs a problem document. */
function unavailable(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const isPage = /^(?:GET|HEAD)$/.test(incoming.method ?? "") && String(incoming.headers.accept).includes("text/html");
  if (!isPage || pathOf(incoming.url ?? "").startsWith("/api/"))
    throw new AppError("overloaded", "The web app is starting: try again in a moment.", {
      headers: { "retry-after": "2" },
    });
  outgoing.writeHead(503, {
    "content-type": "text/html; charset=utf-8",
    "content-length": Buffer.byteLength(STARTING_PAGE),
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "cache-control": "no-store",
    "retry-after": "2",
  });
  outgoing.end(incoming.method === "HEAD" ? undefined : STARTING_PAGE);
}
