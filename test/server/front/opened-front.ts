import { once } from "node:events";
import type { Server } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { createFront, drain, answerNotFound, type RequestHandler } from "@/lib/server/front/front";
import { findIn, type Methods } from "@/lib/server/routes";

interface Endpoint {
  readonly server: Server;
  readonly port: number;
  readonly url: string;
}

type Limits = Parameters<typeof createFront>[2];

/** A front on a port of its own, until the test is over. */
export async function open(
  routes: Record<string, Methods>,
  fallback: RequestHandler = answerNotFound,
  limits: Limits = {},
): Promise<Endpoint> {
  const server = createFront(findIn(routes), fallback, limits);
  onTestFinished(() => (server.listening ? drain(server, 0) : undefined));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { server, port, url: `http://127.0.0.1:${port}` };
}

/** Sends bytes as they are; everything that came back until the connection was closed. */
export async function raw(port: number, text: string): Promise<string> {
  const socket = connect(port, "127.0.0.1", () => socket.write(text));
  let received = "";
  socket.on("data", (data) => (received += String(data)));
  socket.on("error", () => {});
  await once(socket, "close");
  return received;
}
