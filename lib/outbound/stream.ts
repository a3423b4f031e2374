import { Agent, fetch as send, type RequestInit as SentInit } from "undici";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { guardedConnector, resolveBySystem } from "@/lib/outbound/connector";
import { toOutboundError } from "@/lib/outbound/failure";
import { OUTBOUND_LIMITS, requireUrl, type OutboundOptions } from "@/lib/outbound/fetch";

/** One request whose answer may go on for long. */
export interface StreamedRequest {
  readonly url: string;
  readonly method: string;
  /** As they are sent: whoever makes them answers for them. */
  readonly headers: Headers;
  readonly body: string | null;
  readonly signal: AbortSignal | null;
  /** The whole exchange, in milliseconds; `null` for a stream that lasts until `signal`, and may say nothing before its first event. */
  readonly totalMs: number | null;
  /** Told when the body is cut off for being too large, before its reader fails: some readers do not say why. */
  readonly onTooLarge?: () => void;
}

/**
 * The way out for answers that are read while they come (Streamable HTTP). A redirect is an answer like any
 * other. The body is bounded: as a whole, or for `text/event-stream` each event of it.
 *
 * @throws AppError of a code that the result of a call may carry
 */
export type OutboundStream = (request: StreamedRequest) => Promise<Response>;

/** A client with its own connections. */
export function outboundStreamClient(options: OutboundOptions): OutboundStream {
  const { allow, resolveHost = resolveBySystem } = options;
  const { connectMs = OUTBOUND_LIMITS.connectMs, headersMs = OUTBOUND_LIMITS.headersMs } = options;
  const agent = (headersTimeout: number) =>
    new Agent({
      connect: guardedConnector({ allow, resolveHost, connectMs }),
      maxHeaderSize: OUTBOUND_LIMITS.headerBytes,
      headersTimeout,
      // The total is held by our own timer.
      bodyTimeout: 0,
      allowH2: false,
    });
  const [prompt, patient] = [agent(headersMs), agent(0)];
  return (request) => exchange(request.totalMs === null ? patient : prompt, request);
}

const kept = globalThis as typeof globalThis & { quartermasterOutboundStream?: OutboundStream };

/** The process-wide client: public addresses, and what OUTBOUND_ALLOW names. */
export const outboundStream: OutboundStream = (request) => {
  kept.quartermasterOutboundStream ??= outboundStreamClient({ allow: () => env.OUTBOUND_ALLOW });
  return kept.quartermasterOutboundStream(request);
};

async function exchange(agent: Agent, request: StreamedRequest): Promise<Response> {
  const url = requireUrl(request.url);
  const { method, body, totalMs } = request;
  const headers = new Headers(request.headers);
  headers.set("user-agent", "quartermaster");
  // What is not compressed cannot be a bomb, and comes event by event.
  headers.set("accept-encoding", "identity");
  const { signal, done } = ending(request.signal, totalMs);
  try {
    const init: SentInit = { method, body, headers: [...headers], signal, redirect: "manual", dispatcher: agent };
    const response = await send(url, init);
    const given = [...response.headers].map(([name, value]): [string, string] => [name, value]);
    const shown = { status: response.status, statusText: response.statusText, headers: given };
    if (response.body === null) {
      done();
      return new Response(null, shown);
    }
    const check = bound(
      response.headers.get("content-type") ?? "",
      OUTBOUND_LIMITS.largestBodyBytes,
      request.onTooLarge,
    );
    return new Response(checkedBody(response.body as ReadableStream<Uint8Array>, check, done), shown);
  } catch (error) {
    done();
    if (signal.aborted) throw signal.reason;
    throw toOutboundError(error instanceof TypeError && error.cause !== undefined ? error.cause : error);
  }
}

/**
 * A signal of one exchange alone, and what is to be said when it is over. Its caller's may last as long as a connection: what
 * hung on that, or waited for a deadline, would be kept for minutes after each answer.
 */
function ending(given: AbortSignal | null, totalMs: number | null): { signal: AbortSignal; done: () => void } {
  const controller = new AbortController();
  const late = () =>
    controller.abort(
      new AppError("upstream_timeout", `The upstream did not answer within ${(totalMs ?? 0) / 1000} s.`),
    );
  const timer = totalMs === null ? undefined : setTimeout(late, totalMs).unref();
  const leave = () => controller.abort(given?.reason);
  given?.addEventListener("abort", leave, { once: true });
  if (given?.aborted === true) leave();
  const done = () => {
    clearTimeout(timer);
    given?.removeEventListener("abort", leave);
  };
  return { signal: controller.signal, done };
}

/** A body of which each part is checked as it is read; `done` is said once it has ended, in whatever way. */
function checkedBody(
  body: ReadableStream<Uint8Array>,
  check: (chunk: Uint8Array) => void,
  done: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { done: isOver, value } = await reader.read();
        if (!isOver) {
          check(value);
          return controller.enqueue(value);
        }
        done();
        controller.close();
      } catch (error) {
        done();
        controller.error(error);
        await reader.cancel(error).catch(() => {});
      }
    },
    cancel: (reason) => {
      done();
      return reader.cancel(reason);
    },
  });
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Throws once a body, or one event of a stream of events, is larger than `most` bytes. */
function bound(
  contentType: string,
  most: number,
  onTooLarge: StreamedRequest["onTooLarge"],
): (chunk: Uint8Array) => void {
  const byEvent = /^text\/event-stream\b/i.test(contentType);
  let size = 0;
  let isLineEmpty = false;
  let before = 0;
  return (chunk) => {
    for (const byte of byEvent ? chunk : []) {
      size += 1;
      // A line ends with LF, CR or both; an empty one ends an event (HTML, 9.2.5).
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
    onTooLarge?.();
    throw new AppError("result_too_large", `The upstream's answer is larger than ${Math.floor(most / 1024)} KiB.`);
  };
}
