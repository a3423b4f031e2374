import { isIP } from "node:net";
import { lookup } from "node:dns/promises";
import type { LookupFunction, Socket } from "node:net";
import { callbackify } from "node:util";
import { buildConnector } from "undici";
import { AppError } from "@/lib/errors";
import { isPublicAddress } from "@/lib/outbound/address";

/** All addresses of a host name. */
export type ResolveHost = (hostname: string) => Promise<readonly { address: string; family: 4 | 6 }[]>;

interface ConnectorOptions {
  /** Exact `host:port` entries that need not be public, read at each connection. */
  readonly allow: () => readonly string[];
  readonly resolveHost: ResolveHost;
  readonly connectMs: number;
}

/**
 * Opens connections to public addresses only, checked where it counts: the literal, every address that
 * the name resolves to — the very list that is then connected to, so that a second answer cannot differ —
 * and the peer once connected (4-execution, Outbound HTTP).
 */
export function guardedConnector({ allow, resolveHost, connectMs }: ConnectorOptions): buildConnector.connector {
  const trusted = buildConnector({ timeout: connectMs, lookup: toLookup(resolveHost) });
  const guarded = buildConnector({ timeout: connectMs, lookup: toLookup(publicOnly(resolveHost)) });
  return (options, callback) => {
    const { hostname, protocol } = options;
    const port = options.port || (protocol === "https:" ? "443" : "80");
    if (isAllowed(allow(), hostname, port)) return trusted(options, callback);
    if (isIP(hostname) !== 0 && !isPublicAddress(hostname)) return callback(refusal(hostname, hostname), null);
    guarded(options, (error, socket) => {
      if (error !== null) return callback(error, null);
      const problem = problemOfPeer(hostname, socket);
      if (problem === null) return callback(null, socket);
      socket.destroy();
      callback(problem, null);
    });
  };
}

/** The system's resolver, hosts file included. */
export const resolveBySystem: ResolveHost = async (hostname) => {
  const found = await lookup(hostname, { all: true });
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
};

function isAllowed(entries: readonly string[], hostname: string, port: string): boolean {
  const host = isIP(hostname) === 6 ? `[${hostname}]` : hostname;
  const wanted = `${host}:${port}`.toLowerCase();
  return entries.some((entry) => entry.toLowerCase() === wanted);
}

function publicOnly(resolveHost: ResolveHost): ResolveHost {
  return async (hostname) => {
    const found = await resolveHost(hostname);
    for (const { address } of found) if (!isPublicAddress(address)) throw refusal(hostname, address);
    return found;
  };
}

function toLookup(resolveHost: ResolveHost): LookupFunction {
  const resolve = callbackify(resolveHost);
  return (hostname, options, callback) =>
    resolve(hostname, (error, found = []) => {
      const [first] = found;
      if (error !== null) callback(error, "", 0);
      else if (first === undefined) callback(Object.assign(new Error("no address"), { code: "ENOTFOUND" }), "", 0);
      else if (options.all === true) callback(null, [...found]);
      else callback(null, first.address, first.family);
    });
}

function problemOfPeer(hostname: string, socket: Socket): AppError | null {
  const peer = socket.remoteAddress ?? "";
  return isPublicAddress(peer) ? null : refusal(hostname, peer);
}

/** The address found stays in the log: an answer that named it would map the inner network. */
function refusal(hostname: string, address: string): AppError {
  return new AppError(
    "address_refused",
    `\`${hostname}\` is not a public address. An operator can allow it by its exact host:port in OUTBOUND_ALLOW.`,
    { cause: new Error(`${hostname} is ${address}`) },
  );
}
