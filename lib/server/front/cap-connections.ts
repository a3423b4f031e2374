import type { Server } from "node:http";
import type { Socket } from "node:net";
import { parseAddress } from "@/lib/access/model/addresses";
import { AppError } from "@/lib/errors";
import { problemBytes } from "@/lib/server/front/answer-parser-errors";

/**
 * Refuses a new connection of an address that has `most` open ones. The addresses of an IPv6 /64 count as one, because
 * one machine usually has all of them (RFC 6177).
 */
export function capConnections(server: Server, most: number): void {
  if (most === Infinity) return;
  const open = new Map<string, number>();
  server.on("connection", (socket: Socket) => {
    const address = countedAddress(socket.remoteAddress ?? "unknown");
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

/** How many groups of 16 bits make the /64 of an IPv6 address. */
const NETWORK_GROUPS = 4;

function countedAddress(text: string): string {
  const address = parseAddress(text);
  // Only link-local addresses have a zone, which the parser refuses.
  if (address === null) return text;
  return "parts" in address ? `${address.parts.slice(0, NETWORK_GROUPS).join(":")}/64` : address.toString();
}
