import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AppError } from "@/lib/errors";
import { outboundClient } from "@/lib/outbound/fetch";

// Loopback listens in both families on one port, so every way of writing "this machine" would reach a real listener.
// Forbidden addresses (metadata, private nets) are refused before a connection is tried.

let reached = 0;
let port = 0;
const servers: Server[] = [];

beforeAll(async () => {
  for (const host of ["127.0.0.1", "::1"]) {
    const server = createServer((_request, response) => {
      reached += 1;
      response.end("inner");
    });
    server.on("connection", () => (reached += 1));
    await new Promise<void>((done) => server.listen(port, host, done));
    port = (server.address() as AddressInfo).port;
    servers.push(server);
  }
});

afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** Spellings as a URL's host: a trailing dot, a case, an encoding and a form of each family. */
const HOSTS = [
  ..."127.0.0.1 127.0.0.2 127.255.255.254 127.1 127.0.1 127.0.0.1. 127.1. 0 0.0.0.0 0.0.0.1".split(" "),
  ..."2130706433 2130706434 017700000001 0177.0.0.1 0177.0.0.01 0x7f.0.0.1 0x7f000001 0x7F.1 0x7f.0x0.0x0.0x1".split(
    " ",
  ),
  ..."127.0x0.0.01 %31%32%37.0.0.1 ①②⑦.⓪.⓪.① 127。0。0。1 １２７.0.0.1".split(" "),
  ..."localhost LOCALHOST loc%61lhost".split(" "),
  ..."[::1] [0:0:0:0:0:0:0:1] [0000:0000:0000:0000:0000:0000:0000:0001] [::] [::0.0.0.1] [::127.0.0.1]".split(" "),
  ..."[::ffff:127.0.0.1] [::ffff:7f00:1] [::FFFF:7F00:0001] [::ffff:0:127.0.0.1] [::ffff:0.0.0.0]".split(" "),
  ..."[64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b:1::7f00:1] [2002:7f00:1::] [2002:7f00:1::1]".split(" "),
  ..."[2001:0:7f00:1::] [fe80::1] [fec0::1] [fc00::1] [fd00::1] [fd00:ec2::254] [ff02::1] [100::1]".split(" "),
  ..."169.254.169.254 169.254.169.254. 0xa9fea9fe 2852039166 0251.0376.0251.0376 169.254.43518".split(" "),
  ..."[::ffff:a9fe:a9fe] [::ffff:169.254.169.254] [64:ff9b::a9fe:a9fe] [2002:a9fe:a9fe::] 169.254.170.2".split(" "),
  ..."100.100.100.200 168.63.129.16 192.0.0.192 10.0.0.1 10.1 172.16.5.5 192.168.1.1 100.64.0.1 198.18.0.1".split(" "),
  ..."224.0.0.1 240.0.0.1 255.255.255.255".split(" "),
];

/** Whole addresses whose host is not what it looks like. */
const ADDRESSES = (at: number) => [
  `http://example.com@127.0.0.1:${at}/`,
  `http://example.com:80@127.0.0.1:${at}/`,
  `http://127.0.0.1:${at}\\@example.com/`,
  `http://127.0.0.1:${at}#@example.com/`,
  `http:\\\\127.0.0.1:${at}\\`,
  `http:127.0.0.1:${at}`,
  `http:///127.0.0.1:${at}/`,
  `http://127.0.0.1\t:${at}/`,
  ` http://127.0.0.1:${at}/ `,
  `ht\ntp://127.0.0.1:${at}/`,
  `https://127.0.0.1:${at}/`,
  `ws://127.0.0.1:${at}/`,
  `blob:http://127.0.0.1:${at}/x`,
];

/** Results of a name's resolution: one address that is not public makes the name forbidden. */
const DNS_ANSWERS = [
  ["127.0.0.1"],
  ["::1"],
  ["::ffff:127.0.0.1"],
  ["0.0.0.0"],
  ["169.254.169.254"],
  ["93.184.216.34", "127.0.0.1"],
  ["2606:4700::1111", "::1"],
  ["64:ff9b::7f00:1"],
  ["2002:7f00:1::"],
  ["fe80::1%lo"],
];

describe("of the addresses that lead inside", () => {
  const client = outboundClient({ allow: () => [] });
  const refusalOf = (sent: Promise<unknown>) =>
    sent.then(
      () => "answered",
      (error: unknown) => (error instanceof AppError ? error.code : String(error)),
    );

  it("the listeners work: each answers a client that may reach it", async () => {
    for (const host of [`127.0.0.1:${port}`, `[::1]:${port}`])
      expect((await outboundClient({ allow: () => [host] })({ url: `http://${host}/` })).status).toBe(200);
    expect(reached).toBe(4);
    reached = 0;
  });

  it("none is reached, however it is written", async () => {
    const urls = [...HOSTS.map((host) => `http://${host}:${port}/`), ...ADDRESSES(port)];
    const refused = await Promise.all(urls.map(async (url) => [url, await refusalOf(client({ url }))]));
    for (const addresses of DNS_ANSWERS) {
      const resolveHost = async () =>
        addresses.map((address) => ({ address, family: address.includes(":") ? (6 as const) : (4 as const) }));
      const send = outboundClient({ allow: () => [], resolveHost });
      refused.push([addresses.join(), await refusalOf(send({ url: `http://inner.example:${port}/` }))]);
    }
    expect(new Set(refused.map(([address]) => address)).size).toBeGreaterThan(90);
    expect(refused.filter(([, code]) => code !== "address_refused")).toEqual([]);
    expect(reached).toBe(0);
  });
});
