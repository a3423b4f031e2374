import { STATUS_CODES, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { AppError } from "@/lib/errors";
import { toProblem } from "@/lib/http/problem";
import { newRequestId } from "@/lib/http/request-id";

/** Errors of Node's parser and our refusals of them; every other error is a 400. */
const REFUSALS: Readonly<Record<string, () => AppError>> = {
  HPE_HEADER_OVERFLOW: () => new AppError("headers_too_large", "The headers are larger than 16 KiB: send fewer."),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: () => new AppError("payload_too_large", "The extensions of a chunk are too large."),
  ERR_HTTP_REQUEST_TIMEOUT: () =>
    new AppError(
      "request_timeout",
      "The request did not arrive in time: headers must arrive within 10 s, the body within 30 s.",
    ),
};

/**
 * Answers bytes that Node's parser rejects before there is a request for a handler. The client gets a problem document
 * (docs/reference/http.md), unless an answer on that connection has begun: then the connection ends.
 *
 * @param last the last answer of each connection that had a request
 */
export function answerParserErrors(server: Server, last: WeakMap<Duplex, ServerResponse>): void {
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    if (isAnswering(last.get(socket)) || !socket.writable || error.code === "ECONNRESET") return void socket.destroy();
    const refused =
      REFUSALS[error.code ?? ""] ?? (() => new AppError("invalid_request", "This is not a valid HTTP request."));
    socket.write(problemBytes(refused()));
    socket.destroySoon();
  });
}

/** Whether a connection's last answer has begun or waits behind another: only the first in line has the socket. */
function isAnswering(last: ServerResponse | undefined): boolean {
  return last !== undefined && !last.writableFinished && (last.headersSent || last.socket === null);
}

/** A refusal as the bytes of an HTTP answer that closes the connection. */
export function problemBytes(refused: AppError): string {
  const { status, headers, body } = toProblem(refused, newRequestId());
  const text = String(body);
  headers.set("content-length", String(Buffer.byteLength(text))).set("connection", "close");
  const lines = [...headers].map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, "", text].join("\r\n");
}
