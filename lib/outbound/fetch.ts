import { Agent, request as send, type Dispatcher } from "undici";
import { singleton } from "@/lib/process/singleton";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { guardedConnector, resolveByDns, resolveBySystem, type ResolveHost } from "@/lib/outbound/connector";
import { problemOfHeader } from "@/lib/outbound/forbidden-headers";
import { readBounded, type BodyListener } from "@/lib/outbound/read-bounded";
import { toOutboundError } from "@/lib/outbound/failure";

/** Limits of every outbound request, in milliseconds and bytes (docs/reference/execution.md#outbound-http). */
export const OUTBOUND_LIMITS = {
  connectMs: 3_000,
  headersMs: 10_000,
  /** The default time of an exchange, and the most that a request may ask for. */
  totalMs: 30_000,
  longestMs: 300_000,
  /** The default size of a body, and the most that a call's answer may have. */
  bodyBytes: 1024 * 1024,
  largestBodyBytes: 10 * 1024 * 1024,
  /** The most that any request may ask for, such as an import of a document. */
  documentBytes: 32 * 1024 * 1024,
  headerBytes: 16 * 1024,
} as const;

/** One request. Never follows redirects: a 3xx is an ordinary answer. */
export interface OutboundRequest {
  readonly url: string;
  readonly method?: Dispatcher.HttpMethod;
  /** Headers from arguments, documents and configuration. Forbidden ones are refused. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Headers that the app adds to authenticate itself, such as `authorization`. Not checked against the forbidden list.
   */
  readonly credentials?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | null;
  /** When its reason is an `AppError`, the request fails with that; else with `cancelled`. */
  readonly signal?: AbortSignal | null;
  /** Limit of the whole exchange, in milliseconds; at most 300 s. Above 10 s, the headers may take as long. */
  readonly totalMs?: number;
  /** Limit of the decoded body, in bytes; 1 MiB by default, at most 32 MiB. */
  readonly maxBytes?: number;
  /**
   * Called before the body is read. May return a listener that receives the body while it arrives, besides the answer.
   */
  readonly listen?: (answer: Pick<OutboundAnswer, "status" | "headers">) => BodyListener | null;
}

/** One completely read answer. Header names are lower case; repeated headers are joined with `, `. */
export interface OutboundAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** From the first byte sent to the last byte read, including connecting. */
  readonly ms: number;
}

/**
 * The only path for outbound requests.
 * @throws AppError of a code that a call's result may carry
 */
export type Outbound = (request: OutboundRequest) => Promise<OutboundAnswer>;

/** Options that tests replace: allowed hosts, name resolution and timeouts. */
export interface OutboundOptions {
  readonly allow: () => readonly string[];
  /** Resolves the names that `allow` does not list; by default the system does. */
  readonly resolveHost?: ResolveHost;
  readonly connectMs?: number;
  readonly headersMs?: number;
  readonly totalMs?: number;
}

/** A client with its own connections. */
export function outboundClient(options: OutboundOptions): Outbound {
  const { headersMs = OUTBOUND_LIMITS.headersMs, totalMs = OUTBOUND_LIMITS.totalMs } = options;
  const agent = guardedAgent(options, 64);
  return (request) => exchange(agent, request, { headersMs, totalMs });
}

/** The guarded connections of a client, at most so many to each origin; `null` = any number. */
export function guardedAgent(options: OutboundOptions, connections: number | null): Agent {
  const { allow, resolveHost = resolveBySystem, connectMs = OUTBOUND_LIMITS.connectMs } = options;
  return new Agent({
    connect: guardedConnector({ allow, resolveHost, connectMs }),
    maxHeaderSize: OUTBOUND_LIMITS.headerBytes,
    // An exchange limits the total time instead: an upstream that sends slow single bytes would reset this timeout.
    bodyTimeout: 0,
    connections,
    allowH2: false,
  });
}

const client = singleton("Outbound", () => outboundClient({ allow: () => env.OUTBOUND_ALLOW }));

/** The process-wide client: reaches public addresses, and the entries of OUTBOUND_ALLOW. */
export const outbound: Outbound = (request) => client()(request);

const strangersClient = singleton("OutboundByDns", () =>
  outboundClient({ allow: () => env.OUTBOUND_ALLOW, resolveHost: resolveByDns }),
);

/** As `outbound`, for addresses that callers state without authentication: their names are looked up in DNS alone. */
export const outboundByDns: Outbound = (request) => strangersClient()(request);

async function exchange(
  agent: Agent,
  request: OutboundRequest,
  defaults: Readonly<Record<"headersMs" | "totalMs", number>>,
): Promise<OutboundAnswer> {
  const started = performance.now();
  const url = requireUrl(request.url);
  const headers = requireHeaders(request);
  const maxBytes = Math.min(request.maxBytes ?? OUTBOUND_LIMITS.bodyBytes, OUTBOUND_LIMITS.documentBytes);
  const totalMs = Math.min(request.totalMs ?? defaults.totalMs, OUTBOUND_LIMITS.longestMs);
  const deadline = new AbortController();
  const timer = setTimeout(
    () => deadline.abort(new AppError("upstream_timeout", `The upstream did not answer within ${totalMs / 1000} s.`)),
    totalMs,
  );
  const cancel = () => {
    const why: unknown = request.signal?.reason;
    deadline.abort(why instanceof AppError ? why : new AppError("cancelled", "The call was cancelled."));
  };
  request.signal?.addEventListener("abort", cancel, { once: true });
  if (request.signal?.aborted === true) cancel();
  try {
    const response = await send(url, {
      dispatcher: agent,
      method: request.method ?? "GET",
      headers,
      body: request.body ?? null,
      headersTimeout: Math.max(defaults.headersMs, request.totalMs ?? 0),
      signal: deadline.signal,
    });
    const head = { status: response.statusCode, headers: plainHeaders(response.headers) };
    const listener = request.listen?.(head) ?? null;
    const body = await readBounded(response, request.method ?? "GET", maxBytes, deadline.signal, listener);
    return { ...head, body, ms: performance.now() - started };
  } catch (error) {
    throw toOutboundError(deadline.signal.aborted ? deadline.signal.reason : error);
  } finally {
    clearTimeout(timer);
    request.signal?.removeEventListener("abort", cancel);
  }
}

/** An http(s) address without a user name or password. @throws AppError `address_refused` */
export function requireUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:"))
    throw new AppError("address_refused", "Only http and https addresses can be reached.");
  if (url.username !== "" || url.password !== "")
    throw new AppError(
      "address_refused",
      "The address contains a user name or password: use the source's `auth` instead.",
    );
  return url;
}

function requireHeaders(request: OutboundRequest): Record<string, string> {
  const stated = Object.entries(request.headers ?? {});
  for (const [name, value] of stated) {
    const problem = problemOfHeader(name, value);
    if (problem !== null) throw new AppError("invalid_arguments", `A request header is refused: ${problem}.`);
  }
  return {
    "user-agent": "quartermaster",
    ...Object.fromEntries(stated.map(([name, value]) => [name.toLowerCase(), value])),
    // Servers disagree about the format of `deflate`.
    "accept-encoding": "gzip, br",
    ...request.credentials,
  };
}

/** Converts undici's headers: a repeated header becomes one with commas (RFC 9110, 5.3). */
export function plainHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")]),
  );
}
