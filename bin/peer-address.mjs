import { Server } from "node:http";

// Imported before Next starts. Next keeps an `x-forwarded-for` that a client made up, and puts the socket's
// address there only when there is none: whoever guesses passwords could be everyone. Here the socket's
// address is always added as the last entry, which `TRUST_PROXY` hops before it may have extended
// (lib/auth/people/client-address.ts reads it from the end).

const emit = Server.prototype.emit;

/** @param {string | symbol} event @param {unknown[]} args */
Server.prototype.emit = function (event, ...args) {
  if (event === "request") {
    const request = /** @type {import("node:http").IncomingMessage} */ (args[0]);
    const given = request.headers["x-forwarded-for"];
    const peer = request.socket.remoteAddress ?? "unknown";
    request.headers["x-forwarded-for"] = given === undefined ? peer : `${given}, ${peer}`;
  }
  return Reflect.apply(emit, this, [event, ...args]);
};
