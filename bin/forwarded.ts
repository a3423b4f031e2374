import type { IncomingMessage } from "node:http";
import { env } from "@/lib/env";

/** Headers by which proxies say for whom they ask. */
export const FORWARDED = [
  "forwarded",
  "x-real-ip",
  "x-forwarded-host",
  "x-forwarded-port",
  "x-forwarded-proto",
] as const;

/**
 * Leaves of the headers that proxies set only what `TRUST_PROXY` proxies of ours can have written, and puts the socket's
 * address last into `x-forwarded-for`. With none, whatever stands there was made up by the client.
 */
export function trustForwarded({ headers, socket }: IncomingMessage): void {
  const given = headers["x-forwarded-for"];
  const peer = socket.remoteAddress ?? "unknown";
  const hops = given === undefined || env.TRUST_PROXY === 0 ? [] : String(given).split(",").slice(-env.TRUST_PROXY);
  headers["x-forwarded-for"] = [...hops.map((hop) => hop.trim()), peer].join(", ");
  if (env.TRUST_PROXY === 0) for (const name of FORWARDED) if (name in headers) delete headers[name];
}

/** The address that the request itself comes from; `undefined` when its sender says that it comes from somebody else. */
export function directPeer({ headers, socket }: IncomingMessage): string | undefined {
  const isPassedOn = headers["via"] !== undefined || headers["x-forwarded-for"] !== undefined;
  return isPassedOn || FORWARDED.some((name) => headers[name] !== undefined) ? undefined : socket.remoteAddress;
}
