import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** An upstream that records each requested effect. */
export interface Upstream {
  /** `host:port`, for OUTBOUND_ALLOW. */
  readonly host: string;
  /** Ids of the orders since the last call, each as often as it arrived. */
  take(): readonly string[];
  /** Requests of what nobody is allowed. */
  readonly forbidden: () => number;
  close(): void;
}

/** Milliseconds that an order takes: long enough that some are under way whenever something breaks. */
const ORDER_MS = 15;

/** Starts one on loopback: `/orders?id=…` and `/forbidden`. */
export async function startUpstream(): Promise<Upstream> {
  let came: string[] = [];
  let forbidden = 0;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://upstream");
    if (url.pathname === "/orders") came.push(url.searchParams.get("id") ?? "");
    else forbidden += 1;
    request.resume();
    setTimeout(() => response.writeHead(200, { "content-type": "application/json" }).end('{"done":true}'), ORDER_MS);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    take: () => {
      const taken = came;
      came = [];
      return taken;
    },
    forbidden: () => forbidden,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
