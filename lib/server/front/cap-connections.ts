import type { Server } from "node:http";
import type { Socket } from "node:net";
import { AppError } from "@/lib/errors";
import { problemBytes } from "@/lib/server/front/answer-parser-errors";

/** Refuses a new connection of an address that has `most` open ones. */
export function capConnections(server: Server, most: number): void {
  if (most === Infinity) return;
  const open = new Map<string, number>();
  server.on("connection", (socket: Socket) => {
    const address = socket.remoteAddress ?? "unknown";
    const count = (open.get(address) ?? 0) + 1;
    if (count > most) {
      socket.end(
        problemBytes(new AppError("rate_limited", `More than ${most} connections are open from your address.`)),
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
