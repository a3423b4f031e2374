import { setMaxListeners } from "node:events";
import type { Readable } from "node:stream";
import { request as send, type Agent, type Dispatcher } from "undici";
import { singleton } from "@/lib/process/singleton";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { toOutboundError } from "@/lib/outbound/failure";
import { guardedAgent, OUTBOUND_LIMITS, plainHeaders, requireUrl, type OutboundOptions } from "@/lib/outbound/fetch";
import { toDecoded } from "@/lib/outbound/read-bounded";

/** One request whose answer may take long. */
export interface StreamedRequest {
  readonly url: string;
  readonly method: string;
  /** Sent unchanged: the caller is responsible for them. Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly signal: AbortSignal | null;
  /**
   * Limit of the whole exchange, in milliseconds; `null` for a stream that lasts until `signal`, and may be silent
   * before its first event.
   */
  readonly totalMs: number | null;
  /** Limit until the headers have arrived, in milliseconds; by default 10 s, and none without `totalMs`. */
  readonly headersMs?: number;
}

/** An answer whose body is read while it arrives. */
export interface StreamedAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The chunks of the body, readable once. Leaving the loop early closes the connection.
   * Fails with an AppError: `result_too_large`, `upstream_error`, and those of the exchange.
   */
  readonly body: AsyncIterable<Uint8Array<ArrayBuffer>>;
  /** Closes the connection without reading the body. */
  readonly discard: () => void;
}

/**
 * Sends a request and returns an answer that is read while it arrives (Streamable HTTP, event receivers). A redirect is
 * an ordinary answer. The size limit applies to the whole body, or to each event of a `text/event-stream`.
 * @throws AppError of a code that a call's result may carry
 */
export type OutboundStream = (request: StreamedRequest) => Promise<StreamedAnswer>;

/** A client with its own connections. */
export function outboundStreamClient(options: OutboundOptions): OutboundStream {
  const { headersMs = OUTBOUND_LIMITS.headersMs } = options;
  const agent = guardedAgent(options, null);
  return (request) => exchange(agent, { headersMs: request.totalMs === null ? 0 : headersMs, ...request });
}

const client = singleton("OutboundStream", () => outboundStreamClient({ allow: () => env.OUTBOUND_ALLOW }));

/** The process-wide client: reaches public addresses, and the entries of OUTBOUND_ALLOW. */
export const outboundStream: OutboundStream = (request) => client()(request);

async function exchange(agent: Agent, request: Required<StreamedRequest>): Promise<StreamedAnswer> {
  const url = requireUrl(request.url);
  const { method, body, totalMs, headersMs } = request;
  // An uncompressed answer cannot be a decompression bomb, and arrives event by event.
  const headers = { ...request.headers, "user-agent": "quartermaster", "accept-encoding": "identity" };
  const { signal, done } = ending(request.signal, totalMs);
  try {
    const response = await send(url, {
      dispatcher: agent,
      method: method as Dispatcher.HttpMethod,
      headers,
      body,
      headersTimeout: headersMs,
      signal,
    });
    const given = plainHeaders(response.headers);
    const { stream: source } = toDecoded(response.body, response.headers["content-encoding"], Number.POSITIVE_INFINITY);
    // Other statuses have no stream: their bodies are read whole.
    const type = response.statusCode === 200 ? (given["content-type"] ?? "") : "";
    const check = bound(type, OUTBOUND_LIMITS.largestBodyBytes);
    const end = () => {
      done();
      response.body.destroy();
    };
    return { status: response.statusCode, headers: given, body: pieces(source, check, signal, end), discard: end };
  } catch (error) {
    done();
    throw failure(error, signal);
  }
}

async function* pieces(
  source: Readable,
  check: (chunk: Uint8Array) => void,
  signal: AbortSignal,
  end: () => void,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  try {
    for await (const chunk of source as AsyncIterable<Uint8Array<ArrayBuffer>>) {
      check(chunk);
      yield chunk;
    }
  } catch (error) {
    throw failure(error, signal);
  } finally {
    end();
  }
}

function failure(error: unknown, signal: AbortSignal): unknown {
  return signal.aborted ? signal.reason : toOutboundError(error);
}

/**
 * A signal for one exchange, and a function to call when the exchange is over. The caller's signal may live as long as
 * a connection: listeners and timers left on it would keep memory for minutes after each answer.
 */
function ending(given: AbortSignal | null, totalMs: number | null): { signal: AbortSignal; done: () => void } {
  const controller = new AbortController();
  const late = () =>
    controller.abort(
      new AppError("upstream_timeout", `The upstream did not answer within ${(totalMs ?? 0) / 1000} s.`),
    );
  const timer = totalMs === null ? undefined : setTimeout(late, totalMs).unref();
  const leave = () => controller.abort(given?.reason);
  if (given !== null) {
    // All requests in flight of a connection share its signal: Node would take their listeners for a leak.
    setMaxListeners(0, given);
    given.addEventListener("abort", leave, { once: true });
  }
  if (given?.aborted === true) leave();
  const done = () => {
    clearTimeout(timer);
    given?.removeEventListener("abort", leave);
  };
  return { signal: controller.signal, done };
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Throws once a body, or one event of an event stream, exceeds `most` bytes. */
function bound(contentType: string, most: number): (chunk: Uint8Array) => void {
  const byEvent = /^text\/event-stream\b/i.test(contentType);
  let size = 0;
  let isLineEmpty = false;
  let before = 0;
  return (chunk) => {
    for (const byte of byEvent ? chunk : []) {
      size += 1;
      // A line ends with LF, CR or both; an empty line ends an event (HTML, 9.2.5).
      const ends = byte === CARRIAGE_RETURN || byte === LINE_FEED;
      const isSecondHalf = byte === LINE_FEED && before === CARRIAGE_RETURN;
      if (!isSecondHalf) {
        if (ends && isLineEmpty) size = 0;
        isLineEmpty = ends;
      }
      before = byte;
    }
    if (!byEvent) size += chunk.byteLength;
    if (size <= most) return;
    throw new AppError("result_too_large", `The upstream's answer is larger than ${Math.floor(most / 1024)} KiB.`);
  };
}
