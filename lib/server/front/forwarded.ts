import type { IncomingMessage } from "node:http";
import { env } from "@/lib/env";

/** Headers in which proxies describe the original request. */
export const FORWARDED = [
  "forwarded",
  "x-real-ip",
  "x-forwarded-host",
  "x-forwarded-port",
  "x-forwarded-proto",
] as const;

/**
 * Reduces the proxies' headers to what `TRUST_PROXY` of our proxies can have written, and appends the socket's
 * address to `x-forwarded-for`. With no trusted proxy, all these headers of the client are dropped.
 */
export function trustForwarded({ headers, socket }: IncomingMessage): void {
  const given = headers["x-forwarded-for"];
  const peer = socket.remoteAddress ?? "unknown";
  const hops = given === undefined || env.TRUST_PROXY === 0 ? [] : String(given).split(",").slice(-env.TRUST_PROXY);
  headers["x-forwarded-for"] = [...hops.map((hop) => hop.trim()), peer].join(", ");
  if (env.TRUST_PROXY === 0) for (const name of FORWARDED) if (name in headers) delete headers[name];
}

/** The peer's address when the request comes from it directly; `undefined` when a header names another client. */
export function directPeer({ headers, socket }: IncomingMessage): string | undefined {
  const isPassedOn = headers["via"] !== undefined || headers["x-forwarded-for"] !== undefined;
  return isPassedOn || FORWARDED.some((name) => headers[name] !== undefined) ? undefined : socket.remoteAddress;
}
