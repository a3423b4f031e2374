import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { gzipSync } from "node:zlib";

/** A request as received, not decoded. */
export interface Echo {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Base64. */
  readonly body: string;
}

/** A server that echoes requests in difficult ways: compressed, and in chunks that split characters. */
export interface EchoServer {
  /** `host:port`, for OUTBOUND_ALLOW. */
  readonly host: string;
  close(): Promise<void>;
}

const PIECE = 7;

export async function startEchoServer(): Promise<EchoServer> {
  const server = createServer((request, response) => void echo(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function echo(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { method = "", url = "", headers } = request;
  const text = JSON.stringify({ method, url, headers, body: Buffer.concat(chunks).toString("base64") });
  const bytes = gzipSync(text);
  response.writeHead(200, { "content-type": "Application/JSON; Charset=UTF-8", "content-encoding": "gzip" });
  for (let at = 0; at < bytes.length; at += PIECE) {
    response.write(bytes.subarray(at, at + PIECE));
    await turn();
  }
  response.end();
}
