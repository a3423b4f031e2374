import { join } from "node:path";
import { run } from "@/bin/boot/run.mjs";

/** A request to send repeatedly, and the only status that may come back. */
export interface Load {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A JSON text; makes the request a POST. */
  readonly body?: string;
  readonly status: number;
}

/** A placeholder in a body that autocannon replaces by a new id per request, as a session of MCP needs. */
export const OWN_ID = "[<id>]";

/** The pressure: requests in flight, and for how many seconds. */
interface Pressure {
  readonly inFlight?: number;
  readonly seconds?: number;
}

/** The result; times in milliseconds. */
export interface Measured {
  readonly perSecond: number;
  readonly p50: number;
  /** The 97th percentile, because autocannon reports no 95th. */
  readonly p97: number;
  readonly p99: number;
}

interface Report {
  readonly requests: { readonly average: number };
  readonly latency: { readonly p50: number; readonly p97_5: number; readonly p99: number };
  readonly errors: number;
  readonly statusCodeStats: Readonly<Record<string, unknown>>;
}

/** Sends a load from a separate process. @throws when another status comes back */
export async function measureLoad(
  { url, headers = {}, body, status }: Load,
  { inFlight = 8, seconds = 3 }: Pressure = {},
): Promise<Measured> {
  const stated = Object.entries({ ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) });
  const args = ["-j", "-c", String(inFlight), "-d", String(seconds)];
  const named = stated.flatMap(([name, value]) => ["-H", `${name}=${value}`]);
  const method = body === undefined ? [] : ["-m", "POST", "-b", body, ...(body.includes(OWN_ID) ? ["-I"] : [])];
  const program = join("node_modules", "autocannon", "autocannon.js");
  const output = await run(process.execPath, [program, ...args, ...named, ...method, url]);
  const { requests, latency, errors, statusCodeStats } = JSON.parse(output.slice(output.indexOf("{"))) as Report;
  const seen = Object.keys(statusCodeStats);
  if (errors > 0 || seen.join() !== String(status))
    throw new Error(`${url}: wanted ${status}, got ${seen.join()} and ${errors} errors`);
  return { perSecond: requests.average, p50: latency.p50, p97: latency.p97_5, p99: latency.p99 };
}

/** Requests a second over 8 connections. @throws when another status comes back */
export async function requestsPerSecond(load: Load, seconds = 3): Promise<number> {
  return (await measureLoad(load, { seconds })).perSecond;
}
