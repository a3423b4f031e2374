import { isIP } from "node:net";
import { lookup, Resolver } from "node:dns/promises";
import type { LookupFunction } from "node:net";
import { callbackify } from "node:util";
import { buildConnector } from "undici";
import { AppError } from "@/lib/errors";
import { isPublicAddress, notPublic } from "@/lib/store/keys/public-address";

/** All addresses of a host name. */
export type ResolveHost = (hostname: string) => Promise<readonly { address: string; family: 4 | 6 }[]>;

interface ConnectorOptions {
  /** Exact `host:port` entries that need not be public, read at each connection. */
  readonly allow: () => readonly string[];
  /** Resolves the names that `allow` does not list. */
  readonly resolveHost: ResolveHost;
  readonly connectMs: number;
}

/**
 * Opens connections to public addresses only (docs/reference/execution.md#outbound-http). Checks the literal address,
 * every address that the name resolves to, and the peer after connecting.
 * Connects to the checked list itself, so that a second DNS answer cannot differ.
 */
export function guardedConnector({ allow, resolveHost, connectMs }: ConnectorOptions): buildConnector.connector {
  const trusted = buildConnector({ timeout: connectMs, lookup: toLookup(resolveBySystem) });
  const guarded = buildConnector({ timeout: connectMs, lookup: toLookup(publicOnly(resolveHost)) });
  return (options, done) => {
    const callback: buildConnector.Callback = (...[error, socket]: Parameters<buildConnector.Callback>) => {
      if (error === null) return done(error, socket);
      done(Object.assign(error, { [UNSENT]: true }), null);
    };
    const { hostname, protocol } = options;
    const host = isIP(hostname) === 6 ? `[${hostname}]` : hostname;
    const place = `${host}:${options.port || (protocol === "https:" ? "443" : "80")}`.toLowerCase();
    if (allow().some((entry) => entry.toLowerCase() === place)) return trusted(options, callback);
    if (isIP(hostname) !== 0 && !isPublicAddress(hostname)) return callback(refusal(place, hostname), null);
    guarded(options, (error, socket) => {
      if (error !== null) return callback(error instanceof NotPublic ? refusal(place, error.message) : error, null);
      const peer = socket.remoteAddress ?? "";
      if (isPublicAddress(peer)) return callback(null, socket);
      socket.destroy();
      callback(refusal(place, peer), null);
    });
  };
}

/** Next bundles each route separately: one copy of this module must recognise what another copy marks. */
const UNSENT = Symbol.for("quartermaster.unsent");

/**
 * Whether a request failed while connecting, by its error or the error's cause: then nothing of the request was sent.
 */
export function isConnectFailure(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > 4) return false;
  return UNSENT in error || isConnectFailure(error.cause, depth + 1);
}

/** Resolves with the system's resolver, hosts file included. */
export const resolveBySystem: ResolveHost = async (hostname) => {
  const found = await lookup(hostname, { all: true });
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
};

/** Milliseconds to wait for a DNS server's first answer, and how often to ask. */
const DNS_LIMITS = { timeout: 1_000, tries: 2 } as const;

/**
 * Resolves by DNS alone: for names that strangers choose. The system's resolver runs two lookups at once in a process and
 * ends none early, so that names without an answer would stop every other lookup, also those for Postgres.
 */
export const resolveByDns: ResolveHost = async (hostname) => {
  const resolver = new Resolver(DNS_LIMITS);
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  if (four.status === "rejected" && six.status === "rejected") throw four.reason;
  return [
    ...(four.status === "fulfilled" ? four.value : []).map((address) => ({ address, family: 4 as const })),
    ...(six.status === "fulfilled" ? six.value : []).map((address) => ({ address, family: 6 as const })),
  ];
};

/** An address that is not public, as the message: the lookup does not know the port. */
class NotPublic extends Error {}

function publicOnly(resolveHost: ResolveHost): ResolveHost {
  return async (hostname) => {
    const found = await resolveHost(hostname);
    for (const { address } of found) if (!isPublicAddress(address)) throw new NotPublic(address);
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

/** The resolved address stays in the log: an answer with it would reveal the inner network. */
function refusal(place: string, address: string): AppError {
  return new AppError("address_refused", `${notPublic(place)}.`, { cause: new Error(`${place} is ${address}`) });
}
