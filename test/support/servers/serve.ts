import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import type { ReadableStream as NodeStream } from "node:stream/web";

/** A web-standard handler on loopback. */
export interface Served {
  readonly origin: string;
  /** `host:port`, for OUTBOUND_ALLOW. */
  readonly host: string;
  close(): Promise<void>;
}

/** A certificate and its key (PEM). */
interface Certificate {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/**
 * Serves a handler over real HTTP on this port, or on a free one; over HTTPS with a certificate. A request is aborted when
 * its client leaves.
 */
export async function serve(
  handler: (request: Request) => Promise<Response>,
  port = 0,
  certificate?: Certificate,
): Promise<Served> {
  const answer: RequestListener = (incoming, outgoing) => {
    const gone = new AbortController();
    outgoing.on("close", () => gone.abort());
    void (async () => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Uint8Array);
      const request = new Request(`${origin}${incoming.url}`, {
        method: incoming.method ?? "GET",
        headers: Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]),
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
        signal: gone.signal,
      });
      const response = await handler(request);
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      if (response.body === null) outgoing.end();
      else
        Readable.fromWeb(response.body as NodeStream)
          .on("error", () => outgoing.destroy())
          .pipe(outgoing);
    })();
  };
  const server = certificate === undefined ? createServer(answer) : createTlsServer(certificate, answer);
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const origin = `${certificate === undefined ? "http" : "https"}://${host}`;
  return {
    origin,
    host,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
