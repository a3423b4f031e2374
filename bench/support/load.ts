import { join } from "node:path";
import { run } from "@/bin/run.mjs";

/** What to send again and again, and the only status that may come back. */
export interface Load {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON; makes it a POST. */
  readonly body?: string;
  readonly status: number;
}

/** Requests a second over 8 connections, from a process of its own. @throws when another status comes back */
export async function requestsPerSecond({ url, headers = {}, body, status }: Load, seconds = 3): Promise<number> {
  const stated = Object.entries({ ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) });
  const args = [
    "-j",
    "-c",
    "8",
    "-d",
    String(seconds),
    ...stated.flatMap(([name, value]) => ["-H", `${name}=${value}`]),
  ];
  const method = body === undefined ? [] : ["-m", "POST", "-b", body];
  const output = await run(process.execPath, [
    join("node_modules", "autocannon", "autocannon.js"),
    ...args,
    ...method,
    url,
  ]);
  const result = JSON.parse(output.slice(output.indexOf("{"))) as {
    readonly requests: { readonly average: number };
    readonly errors: number;
    readonly statusCodeStats: Readonly<Record<string, unknown>>;
  };
  const seen = Object.keys(result.statusCodeStats);
  if (result.errors > 0 || seen.join() !== String(status))
    throw new Error(`${url}: wanted ${status}, got ${seen.join()} and ${result.errors} errors`);
  return result.requests.average;
}
