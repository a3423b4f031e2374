import type { Server } from "node:http";
import type { Socket } from "node:net";
import { networkOf } from "@/lib/access/model/addresses";
import { AppError } from "@/lib/errors";
import { problemBytes } from "@/lib/server/front/answer-parser-errors";

/**
 * Refuses a new connection of an address that has `maxPerAddress` open ones. The addresses of an IPv6 /64 count as one.
 */
export function capConnections(server: Server, maxPerAddress: number): void {
  if (maxPerAddress === Infinity) return;
  const open = new Map<string, number>();
  server.on("connection", (socket: Socket) => {
    const address = networkOf(socket.remoteAddress ?? "unknown");
    const count = (open.get(address) ?? 0) + 1;
    if (count > maxPerAddress) {
      socket.end(
        problemBytes(
          new AppError("rate_limited", `More than ${maxPerAddress} connections are open from your address.`),
        ),
      );
      return void socket.destroySoon();
    }
    open.set(address, count);
    socket.once("close", () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
  });
}
