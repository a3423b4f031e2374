import { EventEmitter } from "node:events";
import type { Server } from "node:http";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { capConnections } from "@/lib/server/front/cap-connections";

/** Which connections of these addresses, opened one after the other, are refused when one is allowed. */
function refusedOf(...addresses: readonly string[]): readonly boolean[] {
  const server = new EventEmitter();
  capConnections(server as Server, 1);
  return addresses.map((remoteAddress) => {
    const socket = Object.assign(new PassThrough(), { remoteAddress, destroySoon: () => {} });
    server.emit("connection", socket);
    return socket.writableEnded;
  });
}

test.each([
  ["addresses of one IPv6 /64 count as one", ["2001:db8:1:2::1", "2001:db8:1:2:ffff::9"], [false, true]],
  ["addresses of two /64 are two", ["2001:db8:1:2::1", "2001:db8:1:3::1"], [false, false]],
  ["IPv4 addresses are counted one by one", ["192.0.2.1", "192.0.2.2", "192.0.2.1"], [false, false, true]],
  ["mapped IPv4 addresses too", ["::ffff:192.0.2.1", "::ffff:192.0.2.2", "192.0.2.1"], [false, false, true]],
  [
    "an address with a zone is counted as it is",
    ["fe80::1%eth0", "fe80::1%eth1", "fe80::1%eth0"],
    [false, false, true],
  ],
])("%s", (_name, addresses, refused) => {
  expect(refusedOf(...addresses)).toEqual(refused);
});
